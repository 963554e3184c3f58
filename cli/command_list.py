"""Every command: its module, its function, and its line on the help page."""

from typing import NamedTuple


class Entry(NamedTuple):
    module: str
    function: str
    help: str


SECTIONS: dict[str, dict[str, Entry]] = {
    "Play": {
        "status": Entry("matches", "status", "What waits for you, longest first."),
        "next": Entry("board", "next_match", "Go to the match that waits for you longest."),
        "board": Entry("board", "board", "Show a match."),
        "moves": Entry("board", "moves", "List your possible moves."),
        "play": Entry("play", "play", "Make a move."),
        "withdraw": Entry("play", "withdraw", "Take back your move while it is still sealed."),
        "retry": Entry("play", "retry", "Resend a move that could not be sent."),
        "use": Entry("board", "use", "Set the current match."),
        "watch": Entry("board", "watch", "Show a match again whenever something happens."),
        "log": Entry("history", "log", "What happened in a match."),
        "history": Entry("history", "history", "Step through a match, turn by turn."),
    },
    "Matches": {
        "matches": Entry("matches", "matches", "List your matches, or open and finished ones."),
        "new": Entry("lobby", "new", "Create a match."),
        "invite": Entry("lobby", "invite", "Invite somebody by user name or e-mail address."),
        "join": Entry("lobby", "join", "Take a seat in an open match, or accept an invitation."),
        "decline": Entry("lobby", "decline", "Decline an invitation."),
        "leave": Entry("lobby", "leave", "Leave a match before it starts."),
        "start": Entry("lobby", "start", "Start your match with the players it has."),
        "cancel": Entry("lobby", "cancel", "Cancel your match before it starts."),
    },
    "Together": {
        "propose": Entry("proposals", "propose", "Propose more time, a pause, or a new player for a seat."),
        "proposals": Entry("proposals", "proposals", "List proposals, open and decided."),
        "agree": Entry("proposals", "agree", "Agree to a proposal, or take an offered seat."),
        "refuse": Entry("proposals", "refuse", "Refuse a proposal, or an offered seat."),
        "back": Entry("proposals", "back", "Take your seat back from a stand-in."),
        "abandon": Entry("proposals", "abandon", "Agree to end a running match without a result."),
    },
    "Talk": {
        "say": Entry("chat", "say", "Send a message to the other players."),
        "messages": Entry("chat", "messages", "Read the messages in a match."),
        "notes": Entry("chat", "notes", "Read or write your own notes on a match."),
    },
    "Trust": {
        "verify": Entry("proof", "verify", "Check a finished match: every card, every move, offline."),
        "export": Entry("proof", "export", "Save everything you may know about a match in one file."),
    },
    "Learn": {
        "demo": Entry("demo", "demo", "Play at once, without a server or an account."),
        "games": Entry("games", "games", "List the games."),
        "rules": Entry("games", "rules", "Read the rules of a game."),
    },
    "Account": {
        "register": Entry("login", "register", "Open an account."),
        "login": Entry("login", "login", "Log in on this machine."),
        "logout": Entry("login", "logout", "Log out on this machine."),
        "password": Entry("account", "password", "Change your password, or get a new one if you forgot it."),
        "whoami": Entry("account", "whoami", "Who you are, and where."),
        "account": Entry("account", "account", "Change your name, time zone or e-mail address."),
        "notify": Entry("notify", "app", "Notification settings and vacation."),
        "webhooks": Entry("webhooks", "app", "Notify a program or a chat when it is your turn."),
        "doctor": Entry("doctor", "doctor", "Check that everything works: server, token, clock, mail."),
    },
}
COMMANDS = {name: entry for commands in SECTIONS.values() for name, entry in commands.items()}

ALIASES = {
    "st": "status",
    "n": "next",
    "b": "board",
    "p": "play",
    "undo": "withdraw",
    "w": "watch",
    "ls": "matches",
}
