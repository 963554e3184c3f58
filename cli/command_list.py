"""A list of all commands, with their modules, functions and lines on the help page."""

from typing import NamedTuple


class Entry(NamedTuple):
    module: str
    function: str
    help: str


SECTIONS: dict[str, dict[str, Entry]] = {
    "Play": {
        "status": Entry("matches", "status", "Show what is waiting for you, and whose turn it is."),
        "next": Entry("board", "next_match", "Go to the match that has been waiting for you longest."),
        "board": Entry("board", "board", "Show a match."),
        "moves": Entry("board", "moves", "List your possible moves."),
        "play": Entry("play", "play", "Make a move."),
        "order": Entry("orders", "order", "Give, list or withdraw standing orders."),
        "withdraw": Entry("play", "withdraw", "Withdraw your move while it's still sealed."),
        "retry": Entry("play", "retry", "Resend a move that couldn't be sent."),
        "use": Entry("board", "use", "Set the current match."),
        "watch": Entry("board", "watch", "Watch a match and show it again when something happens."),
        "log": Entry("history", "log", "Show what happened in a match."),
        "review": Entry("review", "review", "Review your decisions in a finished match."),
        "history": Entry("history", "history", "Step through a match, turn by turn."),
    },
    "Matches": {
        "matches": Entry("matches", "matches", "List your own, open or finished matches."),
        "new": Entry("lobby", "new", "Create a match."),
        "invite": Entry("lobby", "invite", "Invite someone by username or email address."),
        "join": Entry("lobby", "join", "Take a seat in an open match, or accept an invitation."),
        "uninvite": Entry("lobby", "uninvite", "Withdraw an invitation and free the seat it reserved."),
        "decline": Entry("lobby", "decline", "Decline an invitation."),
        "rematch": Entry("lobby", "rematch", "Play again with the same people and settings."),
        "leave": Entry("lobby", "leave", "Leave a match before it starts."),
        "bots": Entry("lobby", "bots", "Give free seats in your match to bots."),
        "start": Entry("lobby", "start", "Start your match with the players who have joined."),
        "cancel": Entry("lobby", "cancel", "Cancel your match before it starts."),
    },
    "Proposals and stand-ins": {
        "propose": Entry("proposals", "propose", "Propose more time, a pause, or a new player for a stand-in's seat."),
        "proposals": Entry("proposals", "proposals", "List open and decided proposals."),
        "agree": Entry("proposals", "agree", "Agree to a proposal, or accept an offered seat."),
        "refuse": Entry("proposals", "refuse", "Decline a proposal or an offered seat."),
        "back": Entry("proposals", "back", "Take your seat back from a stand-in."),
        "resign": Entry("proposals", "resign", "Resign from a running match and take last place."),
        "abandon": Entry("proposals", "abandon", "Vote to end a running match without a result."),
    },
    "Messages and notes": {
        "say": Entry("chat", "say", "Send a message to the other players."),
        "messages": Entry("chat", "messages", "Read the messages in a match."),
        "report": Entry("chat", "report", "Report another player's message to the server's operators."),
        "block": Entry("chat", "block", "Stop invitations and messages from a user."),
        "unblock": Entry("chat", "unblock", "Unblock a user."),
        "blocks": Entry("chat", "blocks", "List the users you have blocked."),
        "notes": Entry("chat", "notes", "Read or write your private notes on a match."),
    },
    "Fairness": {
        "verify": Entry("proof", "verify", "Check on your own machine that a match was fair."),
        "export": Entry("proof", "export", "Save everything you can see in a match to a file."),
    },
    "Learn": {
        "demo": Entry("demo", "demo", "Play against bots right now, without an account."),
        "games": Entry("games", "games", "List the games."),
        "rules": Entry("games", "rules", "Read a game's rules."),
        "help": Entry("help", "help_page", "Show help on a command, or list all commands."),
    },
    "Account": {
        "register": Entry("login", "register", "Create an account."),
        "login": Entry("login", "login", "Log in on this machine."),
        "logout": Entry("login", "logout", "Log out on this machine."),
        "password": Entry("account", "password", "Change or reset your password."),
        "profiles": Entry("profiles", "profiles", "List your profiles, or switch to another one."),
        "whoami": Entry("account", "whoami", "Show which account and server you are using."),
        "account": Entry("account", "account", "Change your name, time zone or address, or delete your account."),
        "vacation": Entry("vacation", "vacation", "List your vacations, or add one."),
        "notify": Entry("notify", "app", "Notification settings and the delivery log."),
        "webhooks": Entry("webhooks", "app", "Notify a program or a chat when it's your turn."),
        "doctor": Entry("doctor", "doctor", "Check your setup: server, token, clock, mail."),
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
