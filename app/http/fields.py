"""Marshmallow fields that are as strict as the contract, and flaws that carry a code.

Every message reads ``code: sentence``; ``flaws_of`` turns marshmallow's nested messages into the
``errors`` of a problem, with a JSON pointer each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

_SURROGATES = r"\ud800-\udfff"
_CONTROLS = (
    r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f"
    + _SURROGATES
    + r"\ufff9-\ufffb\ufffe\uffff"
)
"""Control, line-separating, direction-changing and annotating characters, and none at all."""
_BLANKS = (
    r" \u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u202f\u205f-\u2065\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
"""Characters that nobody sees when they stand alone."""
NAME_PATTERN = rf"[{_BLANKS}]*[^{_BLANKS}{_CONTROLS}][^{_CONTROLS}]*"
"""Some visible character and no control. The first visible one ends the blanks before it, so
that no text can be matched in two ways and a hostile one costs no more than its length."""

KEY_PATTERN = "[a-z][a-z0-9_]*"
_AT = "[a-e][1-5]"
_STEP = (
    rf"!?({_AT}[>~]{_AT}|{_AT}\^{_AT}\*?|\({_AT}~{_AT}(,{_AT}~{_AT}){{1,3}}\)|\+{_AT}[fm]?"
    rf"|--?{_AT}|x{_AT}|@[a-z]+:({_AT}|[NSEW]{{1,2}}|-)|=[a-z_]+:[A-Za-z0-9_-]+|\.|-)"
)
_WORD = rf"({_STEP}|\[{_STEP}\]|\{{S[1-4]: {_STEP}\}})"
LINE_PATTERN = rf"{_WORD}( {_WORD})*(%|#(S[1-4])?|(##S[1-4])+)?"
"""Words of a turn line (T-60) with single blanks between them, and its mark."""


class Pattern(validate.Regexp):
    """The whole text matches; shown in the exported schema as an anchored pattern.

    ``shown`` is for the schema where that cannot say all of it.
    """

    def __init__(self, pattern: str, message: str, shown: str | None = None) -> None:
        super().__init__(f"^{shown or pattern}$", error=message)
        self._whole = re.compile(pattern)

    def __call__(self, value: Any) -> Any:
        """Return the value, or refuse it."""
        if not self._whole.fullmatch(value):
            raise ValidationError(str(self.error))
        return value


class Between(validate.Range):
    """A number within bounds, both included."""

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        bounds = f"from {low}" + ("" if high is None else f" to {high}")
        super().__init__(low, high, error=f"out_of_range: This is a number {bounds}.")


class Long(validate.Length):
    """A text or list of so many characters or items."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__(low, high, error=f"bad_length: This has {low} to {high} parts.")

    def __call__(self, value: Any) -> Any:
        """Return the value, or refuse it as too short or too long."""
        if self.min is not None and len(value) < self.min:
            raise ValidationError(f"too_short: At least {self.min} are needed.")
        if self.max is not None and len(value) > self.max:
            raise ValidationError(f"too_long: At most {self.max} fit.")
        return value


class Among(validate.OneOf):
    """One of a few words."""

    def __init__(self, choices: tuple[Any, ...]) -> None:
        words = ", ".join(str(choice) for choice in choices)
        super().__init__(choices, error=f"not_a_choice: This is one of {words}.")

    def __call__(self, value: Any) -> Any:
        """Return the value, or refuse it."""
        if value not in self.choices:
            raise ValidationError(str(self.error))
        return value


_MISSING = {
    "required": "required: This member is needed.",
    "null": "null: This member is not nullable.",
    "validator_failed": "invalid: This value does not fit.",
}


class Text(fields.String):
    """A JSON string, never converted from anything else."""

    default_error_messages = {**_MISSING, "invalid": "wrong_type: This is a string."}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        return value


class Whole(fields.Integer):
    """A JSON integer: not ``"3"``, not ``3.0``, not ``true``."""

    default_error_messages = {**_MISSING, "invalid": "wrong_type: This is an integer."}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class Flag(fields.Boolean):
    """A JSON boolean, never ``0`` or ``"yes"``."""

    default_error_messages = {**_MISSING, "invalid": "wrong_type: This is true or false."}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class Listed(fields.List[Any]):
    """A JSON array."""

    default_error_messages = {**_MISSING, "invalid": "wrong_type: This is an array."}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class Part(fields.Nested):
    """A JSON object with a schema of its own."""

    default_error_messages = {**_MISSING, "type": "wrong_type: This is an object."}


class Kinds(fields.Field[Any]):
    """A JSON object whose member ``tag`` says which of several schemas it follows.

    What a schema marked ``few`` has loaded is kept: it has few values, and they never change.
    """

    default_error_messages = {**_MISSING, "type": "wrong_type: This is an object."}

    def __init__(self, tag: str, schemas: Mapping[str, type[Schema]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.tag = tag
        self.schemas = dict(schemas)
        self._loaders = {word: schema() for word, schema in self.schemas.items()}
        self._few = {word for word, schema in self.schemas.items() if getattr(schema, "few", False)}
        self._known: dict[frozenset[Any], Any] = {}

    def _serialize(self, value: Any, attr: Any, obj: Any, **kwargs: Any) -> Any:
        return value

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise self.make_error("type")
        word = value.get(self.tag)
        # Texts only: 1 and true are equal, and would be taken for each other.
        if type(word) is str and word in self._few and _all_texts(value):
            content = frozenset(value.items())
            found = self._known.get(content)
            if found is None:
                found = self._known[content] = self._load(value, word)
            return found
        return self._load(value, word)

    def _load(self, value: dict[str, Any], word: Any) -> Any:
        if self.tag not in value:
            raise ValidationError({self.tag: [_MISSING["required"]]})
        if not isinstance(word, str):
            raise ValidationError({self.tag: ["wrong_type: This is a string."]})
        if word not in self._loaders:
            words = ", ".join(self._loaders)
            raise ValidationError({self.tag: [f"not_a_choice: This is one of {words}."]})
        return self._loaders[word].load(value)


def _all_texts(value: dict[str, Any]) -> bool:
    return all(type(part) is str for part in value.values())


class Numeral(fields.Integer):
    """A decimal number in a query string: ASCII digits only."""

    default_error_messages = {**_MISSING, "invalid": "wrong_type: This is a whole number."}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,9}", value):
            raise self.make_error("invalid")
        return int(value)


class Switch(fields.Boolean):
    """``true`` or ``false`` in a query string."""

    default_error_messages = {**_MISSING, "invalid": "wrong_type: This is true or false."}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise self.make_error("invalid")
        return bool(value == "true")


class Strict(Schema):
    """The base of every request schema: unknown members are refused."""

    class Meta:
        """Refuse what is not declared."""

        unknown = RAISE

    error_messages = {
        "unknown": "unknown_field: There is no such member.",
        "type": "wrong_type: This is an object.",
    }


def alternatives(condition: dict[str, Any], member: str, other: str) -> dict[str, Any]:
    """Say in a JSON schema that ``member`` stands where ``condition`` holds, else ``other``.

    Written as a condition, which generators of clients leave alone; of a ``oneOf`` they would make
    types that nobody asked for.
    """
    return {
        "if": condition,
        "then": {"required": [member], "not": {"required": [other]}},
        "else": {"required": [other], "not": {"required": [member]}},
    }


def require(data: Mapping[str, Any], member: str) -> None:
    """Refuse a loaded object in which a member is missing.

    Raises:
        ValidationError: it is missing.
    """
    if member not in data:
        raise ValidationError({member: [_MISSING["required"]]})


def forbid(data: Mapping[str, Any], member: str, message: str) -> None:
    """Refuse a loaded object in which a member is present.

    Raises:
        ValidationError: it is there; ``message`` reads ``code: sentence``.
    """
    if member in data:
        raise ValidationError({member: [message]})


def square(**kwargs: Any) -> Text:
    """Make a field for a square, ``a1`` to ``e5`` (C-1)."""
    check = Pattern("[a-e][1-5]", "bad_square: A square is written a1 to e5.")
    return Text(validate=check, metadata={"examples": ["b2"]}, **kwargs)


def name(**kwargs: Any) -> Text:
    """Make a field for a player's name: 1 to 40 characters (contract, section 7)."""
    check = Pattern(
        NAME_PATTERN,
        "bad_characters: Use visible characters, at least one.",
        # Half a surrogate pair is no text: JSON in UTF-8 has none, and few engines can name it.
        shown=NAME_PATTERN.replace(_SURROGATES, ""),
    )
    return Text(validate=[Long(1, 40), check], **kwargs)


def line(**kwargs: Any) -> Text:
    """Make a field for notation (T-60)."""
    check = Pattern(LINE_PATTERN, "not_notation: This is no turn line (T-60).")
    return Text(validate=[Long(1, 4000), check], **kwargs)


def key(**kwargs: Any) -> Text:
    """Make a field for a power's key."""
    check = Pattern(KEY_PATTERN, "bad_key: A power's key is a lower-case word.")
    return Text(validate=[Long(1, 32), check], **kwargs)


def flaws_of(messages: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten marshmallow's messages into ``errors``: pointer, code, detail."""
    if isinstance(messages, Mapping):
        for part, inner in messages.items():
            yield from flaws_of(inner, path if part == "_schema" else f"{path}/{_escaped(part)}")
    elif isinstance(messages, list):
        for inner in messages:
            yield from flaws_of(inner, path)
    else:
        code, _, detail = str(messages).partition(": ")
        yield {"pointer": path, "code": code, "detail": detail}


def _escaped(part: Any) -> str:
    """Write one reference token of a JSON pointer (RFC 6901)."""
    return str(part).replace("~", "~0").replace("/", "~1")
