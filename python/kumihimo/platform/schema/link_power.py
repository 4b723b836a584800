"""Keys of the power that links draw, and of how they save it."""

from __future__ import annotations

from kumihimo.platform.schema.key import (
    REQUIRED,
    ByChoice,
    Key,
    PlainDefault,
    SameAs,
    Section,
    When,
    config,
    network,
)
from kumihimo.platform.schema.link_power_presets import PRESETS
from kumihimo.platform.schema.link_power_rules import RULES
from kumihimo.platform.schema.values import Choice, Measure, ValueType
from kumihimo.units import DURATION, POWER, SHARE, SIZE

PRESET_PATH = "link_power.preset"
POLICY_PATH = "link_power.policy"

POLICIES = {
    "always_on": "Links never sleep.",
    "on_off": "A link goes to sleep as soon as it has nothing to carry, and wakes when data come.",
    "threshold": "A link goes to sleep when it has had nothing to carry for `threshold`.",
    "prewake": "A link goes to sleep when it has had nothing to carry for `linger`, and wakes "
    "before data come, when a program, its compiler or the MPI layer says that they will. A link "
    "that data had to wake stays active for `threshold` until a wake frame reaches it again. "
    "One that has carried nothing yet sleeps after the time of going to sleep and waking.",
    "perfbound": "Each link sets its own threshold, so that waits for links delay the program by "
    "at most `slowdown` of the time (see `bound`).",
    "ideal": "An oracle: a link sleeps whenever that saves energy, and is awake again exactly when "
    "data come. The yardstick for the others.",
}

_TIME = Measure(DURATION, smallest="0 ns", largest="1 s")
_POWER = Measure(POWER, smallest="0 W", largest="1000 kW")
_WITH_POWER = When(PRESET_PATH, ("custom", *PRESETS))
_DUAL = When("link_power.modes", ("dual",))


def _key(
    name: str,
    type_: ValueType,
    otherwise: PlainDefault,
    place: tuple[str, ...],
    doc: str,
    when: When | None = None,
) -> Key:
    """Return a key whose default is what the preset says."""
    said = {preset: about.values[name] for preset, about in PRESETS.items() if name in about.values}
    default = ByChoice(PRESET_PATH, said, otherwise) if said else otherwise
    feeds = network("link_power", *place)
    return Key(f"link_power.{name}", type_, default, feeds, doc, when=when or _WITH_POWER)


LINK_POWER = Section(
    name="link_power",
    doc="What every directed link draws, and how it saves power; the two directions of a link "
    "sleep by themselves. A link is active, on its way to sleep, asleep, or on its way back; only "
    "an active one carries data. Without this section links have no power model. "
    "`--link-power POLICY` of `kumihimo run` and `replay` sets another policy.",
    keys=(
        Key(
            PRESET_PATH,
            Choice(
                {
                    "none": "No power model.",
                    "custom": "This section says everything.",
                    **{name: preset.doc for name, preset in PRESETS.items()},
                }
            ),
            "none",
            None,
            "Where the defaults of the other keys come from: a kind of link that is known, or "
            '"custom", where this section says everything.',
        ),
        Key(
            POLICY_PATH,
            Choice(POLICIES),
            "always_on",
            network("link_power", "policy"),
            "When links go to sleep. "
            + " ".join(f'"{name}": {text}' for name, text in POLICIES.items()),
            when=_WITH_POWER,
        ),
        _key("power_on", _POWER, REQUIRED, ("on_uw",), "Power of an active link, busy or not."),
        _key(
            "power_low", _POWER, REQUIRED, ("low_power", "power_uw"), "Power of a link that sleeps."
        ),
        _key(
            "power_sleep",
            _POWER,
            SameAs("link_power.power_on"),
            ("sleep_uw",),
            "Power of a link on its way to sleep.",
        ),
        _key(
            "power_wake",
            _POWER,
            SameAs("link_power.power_on"),
            ("wake_uw",),
            "Power of a link that wakes.",
        ),
        _key(
            "sleep_time",
            _TIME,
            REQUIRED,
            ("low_power", "sleep_time_ps"),
            "Time from active to asleep (Ts of IEEE 802.3).",
        ),
        _key(
            "wake_time",
            _TIME,
            REQUIRED,
            ("low_power", "wake_time_ps"),
            "Time from asleep to active (Tw).",
        ),
        _key(
            "data_in_sleep",
            Choice(
                {
                    "at_once": "They leave at once, as if the link had not begun.",
                    "wake_again": "The link gives it up and wakes, in `early_wake_time`.",
                    "wait": "The link goes to sleep first, and then wakes.",
                }
            ),
            "wake_again",
            ("data_in_sleep",),
            "Handling of data that come while the link goes to sleep. "
            '"at_once": they leave, as if the link had not begun. "wake_again": the link gives it '
            'up and wakes, in `early_wake_time`. "wait": it goes to sleep first, and then wakes. '
            "The same holds for a wake frame.",
        ),
        _key(
            "early_wake_time",
            _TIME,
            SameAs("link_power.wake_time"),
            ("low_power", "early_wake_time_ps"),
            "Time from a request during the way to sleep until active (case 1 of IEEE 802.3).",
        ),
        _key(
            "quiet_time",
            _TIME,
            "0 ns",
            ("low_power", "quiet_time_ps"),
            "How long a sleeping link is quiet between two refreshes (Tq).",
        ),
        _key(
            "refresh_time",
            _TIME,
            "0 ns",
            ("low_power", "refresh_time_ps"),
            "How long a refresh takes (Tr). 0: links never refresh.",
        ),
        _key(
            "power_refresh",
            _POWER,
            SameAs("link_power.power_on"),
            ("refresh_uw",),
            "Power of a sleeping link that refreshes.",
        ),
        Key(
            "link_power.modes",
            Choice({"single": "One way to sleep.", "dual": "A deeper mode besides."}),
            ByChoice(PRESET_PATH, {"dual": "dual"}, "single"),
            None,
            'Whether a link that sleeps goes on to a deeper mode after `deep_after` ("dual").',
            when=_WITH_POWER,
        ),
        _key(
            "deep_after",
            _TIME,
            "10 us",
            ("deep_after_ps",),
            "How long a link stays in the first mode before it goes to the deeper one.",
            when=_DUAL,
        ),
        _key(
            "deep_power",
            _POWER,
            REQUIRED,
            ("deep", "power_uw"),
            "Power of a link in the deeper mode.",
            when=_DUAL,
        ),
        _key(
            "deep_sleep_time",
            _TIME,
            REQUIRED,
            ("deep", "sleep_time_ps"),
            "Time from the first mode to the deeper one.",
            when=_DUAL,
        ),
        _key(
            "deep_wake_time",
            _TIME,
            REQUIRED,
            ("deep", "wake_time_ps"),
            "Time from the deeper mode to active.",
            when=_DUAL,
        ),
        _key(
            "deep_early_wake_time",
            _TIME,
            SameAs("link_power.deep_wake_time"),
            ("deep", "early_wake_time_ps"),
            "Time from a request during the way to the deeper mode until active.",
            when=_DUAL,
        ),
        _key(
            "deep_quiet_time",
            _TIME,
            "0 ns",
            ("deep", "quiet_time_ps"),
            "As `quiet_time`, in the deeper mode.",
            when=_DUAL,
        ),
        _key(
            "deep_refresh_time",
            _TIME,
            "0 ns",
            ("deep", "refresh_time_ps"),
            "As `refresh_time`, in the deeper mode.",
            when=_DUAL,
        ),
        _key(
            "threshold",
            Measure(DURATION, smallest="0 ns", largest="86400 s"),
            "50 us",
            ("threshold_ps",),
            'With the policy "threshold": how long a link stays active without data. With '
            '"prewake": the same, as long as no wake frame has asked for it since data had to '
            "wake it.",
        ),
        Key(
            "link_power.linger",
            Measure(DURATION, smallest="0 ns", largest="86400 s"),
            ByChoice("link_power.data_in_sleep", {"at_once": "0 ns"}, "1 us"),
            network("link_power", "linger_ps"),
            'With the policy "prewake": how long a link stays active without data once a wake '
            "frame has asked for it. A short time is "
            "enough where software knows when data come: it keeps a link from going to sleep "
            "between messages that follow each other at once, from which it would have to wake. "
            "None is needed where data that come in time still leave.",
            when=_WITH_POWER,
        ),
        _key(
            "slowdown",
            Measure(SHARE, smallest="0 %", largest="100 %"),
            "1 %",
            ("slowdown_ppm",),
            'With the policy "perfbound": the share of the run for which data may wait for links '
            "to wake.",
        ),
        _key(
            "bound",
            Choice(
                {
                    "program": "For all links that messages wait for one after the other.",
                    "link": "For each link by itself.",
                }
            ),
            "program",
            ("bound",),
            'With the policy "perfbound": what `slowdown` is a bound of. "program": of what '
            "messages wait along any chain of them, for all links together; no link sleeps before "
            "all links of the network could be woken one after the other. "
            '"link": of what data wait for each link; the program may be held up for longer.',
        ),
        _key(
            "wake_frames",
            Choice(
                {
                    "all_at_once": "They run ahead of the links that they wake.",
                    "hop_by_hop": "They cross each link as soon as it is active.",
                }
            ),
            "all_at_once",
            ("wake_frames",),
            'With the policy "prewake": how a wake frame goes down its path. "all_at_once": it '
            "runs ahead, with the latencies of links and switches only, and each link that it "
            'passes begins to wake. "hop_by_hop": it is a packet, which crosses a link once that '
            "is active; the wakes of a path add up.",
        ),
        _key(
            "wake_frame_size",
            Measure(SIZE, smallest="0 B", largest="1 MiB"),
            "64 B",
            ("frame_bytes",),
            'Size of a wake frame on links, if it goes "hop_by_hop".',
        ),
        _key(
            "wake_frames_from",
            Choice(
                {
                    "ranks_and_queues": "Data that wait for a link send them ahead, too.",
                    "ranks": "Only ranks send them.",
                }
            ),
            "ranks_and_queues",
            ("wake_frames_from",),
            'With the policy "prewake": sources of wake frames. "ranks": software on the hosts. '
            '"ranks_and_queues": also the interface or switch where data wait for a link, because '
            "that wakes or carries others; the frame goes ahead of them down the rest of the path, "
            "one lead before they can follow. With finite buffers only ranks do.",
        ),
        Key(
            "link_power.wake_overhead",
            Measure(DURATION, smallest="0 ns", largest="1 s"),
            "50 ns",
            config("wake_cost_ps"),
            "Time a rank spends on asking its network interface for wake frames (ringing its "
            "doorbell), however many it asks for at once.",
            when=_WITH_POWER,
        ),
    ),
    rules=RULES,
)
