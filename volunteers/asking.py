"""Answers given at the desk, kept with who asked (an act that changes no row)."""

from __future__ import annotations

from registry.access import Capability, require
from registry.history import Act, acting
from registry.models import Person
from registry.services import Actor, refuse_ssn
from volunteers.assigning import told
from volunteers.selectors import Asked, ruling_for


def save_answer(by: Actor, person: Person, asked: Asked, *, caller: str, telephone: str) -> Act:
    """Judge once more and keep the ruling with the caller's name and number."""
    require(by, Capability.SEE_REGISTER)
    refuse_ssn("caller", caller, telephone)
    ruling = ruling_for(person, asked)
    data = {"caller": caller, "telephone": telephone, **told(ruling)}
    with acting(
        by, "answer.given", organization=asked.organization, person=person, data=data
    ) as act:
        return act
