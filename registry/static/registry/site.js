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

  const dress = (root) => {
    root.querySelectorAll("[data-date-entry]").forEach(addCalendar);
    root.querySelectorAll("[data-lookup]").forEach(setUpLookup);
    root.querySelectorAll("[data-print]").forEach((button) => button.addEventListener("click", () => window.print()));
  };
  dress(document);
  document.addEventListener("htmx:load", (event) => { if (event.target !== document.body) dress(event.target); });
})();
