// Comfort only: every page works without this file.
(() => {
  "use strict";

  // “/” goes to the search box, unless somebody is typing.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    const search = document.getElementById("site-search");
    if (event.key !== "/" || typing || !search || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    search.focus();
    search.select();
  });

  // A mistake is read out and can be followed from the top of the page.
  document.getElementById("errors")?.focus();

  // A passkey that did not come says so on the page.
  document.addEventListener("allauth.error", (event) => {
    const told = document.querySelector("[data-passkey-failed]");
    if (!told) return;
    event.preventDefault();
    told.hidden = false;
  });

  // A second press while the first is on its way does nothing.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.classList.contains("is-sent")) event.preventDefault();
    form.classList.add("is-sent");
    // A file that is saved leaves the page as it is: then the form may be sent again.
    setTimeout(() => form.classList.remove("is-sent"), 4000);
  });
  window.addEventListener("pageshow", () => {
    document.querySelectorAll(".is-sent").forEach((form) => form.classList.remove("is-sent"));
  });

  // On a narrow screen the current entry of the navigation is in view.
  document.querySelector(".site-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // Menus close on Escape and on a click elsewhere.
  const closeMenus = (but) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (menu !== but) menu.open = false;
    });
  };
  document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.querySelector("details.menu[open] summary")?.focus();
    closeMenus(null);
  });

  // A calendar beside each date, where the browser has one of its own.
  const ICON = "M19 4h-1V2h-2v2H8V2H6v2H5a2 2 0 00-2 2v14a2 2 0 002 2h14a2 2 0 002-2V6a2 2 0 00-2-2zm0 16H5V9h14z";
  const typedDay = (text) => {
    const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
    return found ? `${found[3]}-${found[1].padStart(2, "0")}-${found[2].padStart(2, "0")}` : "";
  };
  const addCalendar = (entry) => {
    const native = document.createElement("input");
    if (entry.querySelector(".date-open") || !("showPicker" in native)) return;
    const field = entry.querySelector("input");
    const button = document.createElement("button");
    native.type = "date";
    native.className = "date-native";
    native.tabIndex = -1;
    native.setAttribute("aria-hidden", "true");
    button.type = "button";
    button.className = "date-open";
    button.setAttribute("aria-label", entry.dataset.label);
    button.innerHTML = `<svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path fill="currentColor" d="${ICON}"/></svg>`;
    button.addEventListener("click", () => {
      native.value = typedDay(field.value);
      native.showPicker();
    });
    native.addEventListener("change", () => {
      const [year, month, day] = native.value.split("-");
      field.value = native.value ? `${month}/${day}/${year}` : "";
      field.dispatchEvent(new Event("change", { bubbles: true }));
      field.focus();
    });
    entry.append(button, native);
  };

  // Type-ahead: htmx fills the list, arrow keys walk it, Enter takes.
  const setUpLookup = (lookup) => {
    const [field, key] = lookup.querySelectorAll("input");
    const list = lookup.querySelector(".lookup-list");
    const options = () => [...list.querySelectorAll(".lookup-option")];
    const marked = () => list.querySelector('[aria-selected="true"]');
    const show = (open) => {
      list.hidden = !open;
      field.setAttribute("aria-expanded", String(open));
      if (!open) field.removeAttribute("aria-activedescendant");
    };
    const mark = (option) => {
      marked()?.setAttribute("aria-selected", "false");
      if (!option) return;
      option.setAttribute("aria-selected", "true");
      field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    };
    const take = (option) => {
      field.value = option.dataset.label;
      key.value = option.dataset.key;
      show(false);
      field.dispatchEvent(new Event("change", { bubbles: true }));
    };
    field.addEventListener("input", () => { key.value = ""; });
    list.addEventListener("htmx:afterSwap", () => {
      options().forEach((option) => { option.id = `${list.id}_${option.id}`; });
      show(list.children.length > 0 && document.activeElement === field);
    });
    list.addEventListener("mousedown", (event) => {
      const option = event.target.closest(".lookup-option");
      event.preventDefault();
      if (option) take(option);
    });
    field.addEventListener("blur", () => show(false));
    field.addEventListener("keydown", (event) => {
      const all = options();
      if (event.key === "Escape") show(false);
      if (list.hidden || !all.length) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        mark(all[(all.indexOf(marked()) + step + all.length) % all.length]);
      } else if (event.key === "Enter" && marked()) {
        event.preventDefault();
        take(marked());
      }
    });
  };

  // A file that is too large is never sent, and never shown: its preview would stop the page.
  document.addEventListener("change", (event) => {
    const field = event.target.closest("input[type=file][data-most]");
    if (!field) return;
    const group = field.closest(".usa-form-group");
    group.querySelector(".too-large")?.remove();
    const large = [...field.files].find((file) => file.size > Number(field.dataset.most));
    if (!large) return;
    event.stopImmediatePropagation();
    field.value = "";
    const told = document.createElement("p");
    told.className = "usa-error-message too-large";
    told.setAttribute("role", "alert");
    told.textContent = `“${large.name}” ${field.dataset.large}`;
    (field.closest(".usa-file-input") || field).before(told);
  }, true);

  // A step of an application saves itself. What the server has not confirmed stays in this window
  // and comes back after signing in again.
  const confirmed = new URLSearchParams(location.search).get("saved");
  const keyOf = (path) => `step:${path}`;
  if (confirmed) {
    Object.keys(sessionStorage).filter((key) => key.startsWith("step:") && key.endsWith(`/steps/${confirmed}/`))
      .forEach((key) => sessionStorage.removeItem(key));
    const left = new URLSearchParams(location.search);
    left.delete("saved");
    history.replaceState(null, "", location.pathname + (left.size ? `?${left}` : "") + location.hash);
  }
  const unsent = (name) => ["csrfmiddlewaretoken", "revision"].includes(name);
  const typedIn = (form) => [...new FormData(form)].filter(([name, value]) => typeof value === "string" && !unsent(name));
  const showWhen = (form) => {
    form.querySelectorAll("[data-when]").forEach((part) => {
      const asked = form.elements[part.dataset.when];
      if (asked) part.hidden = !part.dataset.answers.split(" ").includes(asked.value);
    });
  };
  const restore = (form) => {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(location.pathname)) || "null");
    if (!kept) return;
    const fields = new Map(kept.fields);
    const differs = [...fields].some(([name, value]) => (form.elements[name]?.value ?? "") !== value);
    if (!differs) return sessionStorage.removeItem(keyOf(location.pathname));
    fields.forEach((value, name) => {
      if (!form.elements[name]) {
        // An entry that the page does not show yet goes along unseen, and is there once saved.
        const carried = document.createElement("input");
        carried.type = "hidden";
        carried.name = name;
        form.append(carried);
      }
      form.elements[name].value = value;
    });
    form.elements.revision.value = kept.revision;
    document.querySelector("[data-restored]").hidden = false;
  };
  const setUpStep = (form) => {
    const line = document.getElementById("saved");
    const key = keyOf(location.pathname);
    let timer = 0;
    let count = 0;
    let leaving = false;
    const keep = () => sessionStorage.setItem(key, JSON.stringify({ revision: form.elements.revision.value, fields: typedIn(form) }));
    const lost = () => { line.textContent = form.dataset.lost; line.className = "saved saved-not"; };
    const save = async () => {
      const body = new FormData();
      new FormData(form).forEach((value, name) => { if (typeof value === "string") body.append(name, value); });
      const mine = ++count;
      let answer;
      try {
        answer = await fetch(`${location.pathname}?autosave`, { method: "POST", body, redirect: "manual", credentials: "same-origin" });
      } catch { return leaving || lost(); }
      if (leaving) return;
      if (![200, 409, 422].includes(answer.status)) return lost();
      line.innerHTML = await answer.text();
      line.className = "saved";
      const revision = line.querySelector("[data-revision]")?.dataset.revision;
      if (!answer.ok || leaving) return;
      form.elements.revision.value = revision;
      if (mine === count) sessionStorage.removeItem(key); else keep();
      document.body.dispatchEvent(new Event("saved"));
    };
    restore(form);
    let queue = Promise.resolve();
    const soon = (event, wait) => {
      if (event.target.type === "file") return;
      keep();
      clearTimeout(timer);
      timer = setTimeout(() => { queue = queue.then(save); }, wait);
    };
    form.addEventListener("input", (event) => soon(event, 1500));
    form.addEventListener("change", (event) => soon(event, 400));
    form.addEventListener("submit", () => { leaving = true; clearTimeout(timer); });
    window.addEventListener("pageshow", () => { leaving = false; });
  };
  document.querySelectorAll("[data-step-form]").forEach(setUpStep);
  document.querySelectorAll(".step-form").forEach((form) => {
    showWhen(form);
    form.addEventListener("change", () => showWhen(form));
  });

  // A text to copy.
  document.querySelectorAll("[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    button.textContent = button.dataset.done;
  }));

  const dress = (root) => {
    root.querySelectorAll("[data-date-entry]").forEach(addCalendar);
    root.querySelectorAll("[data-lookup]").forEach(setUpLookup);
    root.querySelectorAll("[data-print]").forEach((button) => button.addEventListener("click", () => window.print()));
  };
  dress(document);
  document.addEventListener("htmx:load", (event) => { if (event.target !== document.body) dress(event.target); });
})();
