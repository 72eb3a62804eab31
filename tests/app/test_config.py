"""Settings come from variables, are checked at start, and hide what is secret."""

import pytest

from app.config import Config, ConfigError, describe


def test_an_empty_environment_gives_the_defaults():
    assert Config.from_env({}) == Config()
    assert Config.from_env({"PORT": " "}).port == 8000


def test_variables_are_read_with_their_types():
    config = Config.from_env(
        {
            "PORT": "81",
            "SANTORINI_OUTAGE_SECONDS": "1.5",
            "SANTORINI_CORS_ORIGINS": "https://a.example, http://localhost:3000/",
            "SANTORINI_LOG_LEVEL": "DEBUG",
        }
    )
    assert config.port == 81 and config.outage_seconds == 1.5 and config.log_level == "debug"
    assert config.cors_origins == ("https://a.example", "http://localhost:3000")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "0"), ("PORT", "http"), ("PORT", "٣"), ("WEB_CONCURRENCY", "-1"),
        ("REDIS_URL", "http://x"), ("SANTORINI_LOG_LEVEL", "loud"),
        ("SANTORINI_RESCUE_SECONDS", "nan"), ("SANTORINI_CORS_ORIGINS", "example.org"),
        ("SANTORINI_KEY_PREFIX", "a{b}"),
    ],
)  # fmt: skip
def test_a_wrong_value_names_its_variable(variable, value):
    with pytest.raises(ConfigError, match=f"^{variable} must be"):
        Config.from_env({variable: value})


def test_all_wrong_values_are_named_at_once():
    with pytest.raises(ConfigError) as error:
        Config.from_env({"PORT": "x", "WEB_CONCURRENCY": "y"})
    assert len(str(error.value).splitlines()) == 2


def test_passwords_are_never_shown():
    config = Config.from_env({"REDIS_URL": "rediss://ann:pa55@db.example:6380/1?password=pa55"})
    assert config.masked()["REDIS_URL"] == "rediss://***@db.example:6380/1?***"
    with pytest.raises(ConfigError) as error:
        Config.from_env({"REDIS_URL": "http://ann:pa55@db"})
    assert "pa55" not in str(error.value)


def test_every_setting_is_described():
    described = describe()
    assert {row["variable"] for row in described} == set(Config().masked())
    assert all(row["help"].endswith(".") for row in described)
