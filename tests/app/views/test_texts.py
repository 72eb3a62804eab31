"""The powers' rules in six languages, and how a reader's language is chosen."""

import re
import unicodedata
from types import SimpleNamespace

import pytest

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.http.answers import CardMemory
from app.views import texts
from app.views.catalogue import power_body
from app.views.texts import LANGUAGES, direction_of, memories, rules_in
from app.wiring import build_services
from domain.powers import CATALOGUE
from domain.rules.power import REGISTRY

OTHERS = [language for language in LANGUAGES if language != "en"]
LETTERS = {
    "en": "",
    "fr": "àâçéèêëîïôùûœ",
    "es": "áéíñóúü",
    "cs": "áčďéěíňóřšťúůýž",
    "pl": "ąćęłńóśźż",
}
"""The letters beyond a to z that each Latin alphabet has."""
RARE = set("âëïùœüďóňź")
"""Of them, those that no rule needs to have."""
SETUP = {
    "en": "Setup:",
    "fa": "چیدمان آغازین:",
    "fr": "Mise en place\u00a0:",
    "cs": "Příprava:",
    "pl": "Przygotowanie:",
    "es": "Preparación:",
}
ONCE = {
    "en": "once per game",
    "fa": "یک بار در هر بازی",
    "fr": "une fois par partie",
    "cs": "jednou za hru",
    "pl": "raz na grę",
    "es": "una vez por partida",
}
TERMS = {
    "worker": ("worker", "کارگر", "ouvri", "dělní", "robotni", "trabajador"),
    "force": (r"\bforc", "ران", "de force", "přem[ií]s", "przes[uy]", "despla"),
    "block": ("block(?! of two)", "بلوک", "bloc", "blo[kc]", "blok", "bloque"),
    "dome": ("dome", "گنبد", "dôme", "kupol", "kopu", "cúpula"),
    "tower": ("complete tower", "برج", "tours? complète", "dokonč.* věž", "ukoń.* wież", "torre"),
    "perimeter": ("perimeter", "حاشیه", "pourtour", "obvod", "obrzeż", "perímetro"),
    "token": ("token", "ژتون", "jeton", "žeton", "żeton", "ficha"),
    "coin": ("coin", "سکه", r"\bpièces?\b", "minc", "monet", "moneda"),
    "extra turn": (
        "extra turn",
        "نوبت اضافه",
        "tour supplém",
        "tah navíc",
        "dodatkow\\w+ tur",
        "turno ex",
    ),
}
"""What a term looks like, as patterns in the order of ``LANGUAGES``."""


@pytest.fixture(scope="module")
def client():
    config = Config()
    return create_app(config, build_services(config, MemoryStore())).test_client()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_power_has_its_rule_in_every_language(language):
    rules = rules_in(language)
    assert list(rules) == sorted(CATALOGUE, key=lambda key: CATALOGUE[key].number)
    assert len(set(rules.values())) == 67


@pytest.mark.parametrize("language", OTHERS)
def test_no_rule_is_left_in_english(language):
    english = rules_in("en")
    assert not [key for key, rule in rules_in(language).items() if rule == english[key]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_a_few_whole_sentences(language):
    english = rules_in("en")
    for key, rule in rules_in(language).items():
        assert 60 <= len(rule) <= 540, key
        assert 0.6 < len(rule) / len(english[key]) < 1.9, key
        assert rule == unicodedata.normalize("NFC", " ".join(rule.split(" "))).strip(), key
        assert rule[-1] == "." and 1 <= len(re.findall(r"\.(?: |$)", rule)) <= 5, key
        assert "  " not in rule and " ." not in rule and " ," not in rule, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_parts_of_a_rule_correspond(language):
    english = rules_in("en")
    for key, rule in rules_in(language).items():
        assert len(re.findall(r"\.(?: |$)", rule)) == len(re.findall(r"\.(?: |$)", english[key])), (
            key
        )
        assert (SETUP[language] in rule) == (SETUP["en"] in english[key]), key
        assert (ONCE[language] in rule.lower()) == CATALOGUE[key].hero, key


@pytest.mark.parametrize("term", TERMS)
def test_a_term_stands_in_the_same_rules_everywhere(term):
    found = {
        language: {
            key for key, rule in rules_in(language).items() if re.search(pattern, rule.lower())
        }
        for language, pattern in zip(LANGUAGES, TERMS[term], strict=True)
    }
    assert found["en"]
    assert {language: keys ^ found["en"] for language, keys in found.items()} == {
        language: set() for language in LANGUAGES
    }


@pytest.mark.parametrize("language", LETTERS)
def test_latin_texts_use_their_alphabet(language):
    allowed = set("abcdefghijklmnopqrstuvwxyz" + LETTERS[language])
    seen = {letter.lower() for rule in rules_in(language).values() for letter in rule}
    assert {letter for letter in seen if letter.isalpha()} <= allowed
    assert set(LETTERS[language]) - RARE <= seen


def test_persian_texts_use_persian_letters():
    for key, rule in rules_in("fa").items():
        letters = [letter for letter in rule if letter.isalpha()]
        assert all(unicodedata.name(letter).startswith("ARABIC") for letter in letters), key
        assert not set("يكة0123456789?,;") & set(rule), key
    assert {"پ", "چ", "گ", "ی", "ک"} <= set("".join(rules_in("fa").values()))


def test_only_persian_runs_from_right_to_left():
    assert [language for language in LANGUAGES if direction_of(language) == "rtl"] == ["fa"]


def test_a_text_for_no_power_is_an_error(monkeypatch):
    monkeypatch.setattr(texts, "catalogue", lambda: {"apollo": CATALOGUE["apollo"]})
    with pytest.raises(ValueError, match=r"fr\.json: unknown powers: achilles.*zeus"):
        rules_in.__wrapped__("fr")
    with pytest.raises(ValueError, match=r"state\.json: unknown powers: athena"):
        memories.__wrapped__()


def test_a_card_without_a_text_says_in_english_what_its_class_says():
    class Boreas(type(CATALOGUE["zeus"])):
        """Your worker may blow
        an opponent's away.

        Rule: P-99.
        """

        key = "boreas"

    del REGISTRY["boreas"]
    body = power_body(Boreas(), "fa")
    assert body["rule"] == "Your worker may blow an opponent's away."
    assert (body["language"], body["text_direction"]) == ("en", "ltr")


def test_every_field_of_a_memory_is_explained():
    explained = {(key, field) for key, fields in memories().items() for field in fields}
    assert {field for _, field in explained} == set(CardMemory().fields)
    for key, power in CATALOGUE.items():
        said = re.findall(r"``(\w+)``", type(power).state.__doc__ or "")
        fields = {name for name in said if name in CardMemory().fields}
        if "deck" in fields:
            fields.add("deck_size")
        assert fields == set(memories().get(key, {})), key


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("fa", "fa"),
        ("FA-ir", "fa"),
        ("fr-CA, en;q=0.9", "fr"),
        ("en-GB;q=0.5, es-MX;q=0.8", "es"),
        ("de, pl;q=0.3, cs;q=0.4", "cs"),
        ("de", "en"),
        ("de, *;q=0.1", "en"),
        ("*", "en"),
        ("en;q=0, *", "fa"),
        ("en;q=0, pl;q=0.001", "pl"),
        ("fr;q=0", "en"),
        ("fr;q=0, es;q=0.2", "es"),
        ("en;q=0", "en"),
        ("fr;q=high, cs", "cs"),
        (";;,=,q=1", "en"),
        ("x" * 3000, "en"),
    ],
)
def test_the_readers_language_is_chosen(client, asked, answered):
    headers = {} if asked is None else {"Accept-Language": asked}
    response = client.get("/v1/powers/zeus", headers=headers)
    assert response.status_code == 200
    assert response.json["language"] == response.headers["Content-Language"] == answered
    assert response.headers["Vary"] == "Accept-Language"
    assert response.json["rule"] == rules_in(answered)["zeus"]
    assert response.json["text_direction"] == ("rtl" if answered == "fa" else "ltr")


def test_the_catalogue_is_in_one_language(client):
    response = client.get("/v1/powers", headers={"Accept-Language": "fa, en;q=0.1"})
    powers = [SimpleNamespace(**power) for power in response.json["powers"]]
    assert [power.id for power in powers] == list(range(1, 68))
    assert {(power.language, power.text_direction) for power in powers} == {("fa", "rtl")}
    assert {power.key: power.rule for power in powers} == rules_in("fa")
    assert response.headers["Content-Language"] == "fa"
    assert response.headers["Vary"] == "Accept-Language"


def test_a_power_explains_its_memory(client):
    assert set(client.get("/v1/powers/nyx").json["state"]) == {"time", "night_power"}
    assert client.get("/v1/powers/apollo").json["state"] == {}
