"""``REDIS_URL`` in all its forms, and what is said of those that are none."""

from __future__ import annotations

import pytest

from app.adapters.places import Place, place_of
from app.config import Config, ConfigError


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://ann:pa55@db.example:6380/1", Place("")),
        ("unix:///var/redis.sock?db=2", Place("")),
        ("redis+cluster://a:7000,b", Place("cluster", (("a", 7000), ("b", 6379)))),
        ("redis+cluster://[::1]:7000/0", Place("cluster", (("::1", 7000),))),
        (
            "rediss+cluster://ann:p%40ss@a:1",
            Place(
                "cluster", (("a", 1),), "",
                (("username", "ann"), ("password", "p@ss"), ("ssl", True)),
            ),
        ),
        (
            "redis+sentinel://a,b:26380/games",
            Place("sentinel", (("a", 26379), ("b", 26380)), "games", (("db", 0),)),
        ),
        (
            "redis+sentinel://:secret@a/games/3",
            Place("sentinel", (("a", 26379),), "games", (("password", "secret"), ("db", 3))),
        ),
    ],
)  # fmt: skip
def test_each_form_is_taken_apart(url, place):
    assert place_of(url) == place
    assert Config.from_env({"REDIS_URL": url}).redis_url == url


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://a", "must be a redis://"),
        ("redis+ring://a", "must be a redis://"),
        ("redis://a:pa55word", "must be like redis://"),
        ("redis://ann:pa55/word@a:1", "must be like redis://"),
        ("redis://a:1/0?pa55=1", "must be like redis://"),
        ("redis+cluster://", "must list addresses"),
        ("redis+cluster://a:1,,b:2", "must list addresses"),
        ("redis+cluster://a:0", "must list addresses"),
        ("redis+cluster://a:65536", "must list addresses"),
        ("redis+cluster://a:\u0661", "must list addresses"),
        ("redis+cluster://::1", "must list addresses"),
        ("redis+cluster://[::1", "must list addresses"),
        ("redis+cluster://ann:pa55/word@a:1", "must list addresses"),
        ("redis+cluster://a:1/1", "must name no database"),
        ("redis+cluster://a:1?ssl=1", "must end after"),
        ("redis+sentinel://a:1", "must name the primary"),
        ("redis+sentinel://a:1/games/x", "must end with the number"),
    ],
)
def test_what_is_wrong_is_said_and_no_password_with_it(url, problem):
    with pytest.raises(ConfigError, match=f"^REDIS_URL {problem}") as error:
        Config.from_env({"REDIS_URL": url})
    assert "pa55" not in str(error.value)


def test_a_password_among_several_addresses_is_masked():
    masked = Config.from_env({"REDIS_URL": "redis+cluster://ann:pa55@a:1,b:2"}).masked()
    assert masked["REDIS_URL"] == "redis+cluster://***@a:1,b:2"
