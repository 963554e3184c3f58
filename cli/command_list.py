"""Every command, with its module, its function, and its line on the help page."""

from typing import NamedTuple


class Entry(NamedTuple):
    module: str
    function: str
    help: str


SECTIONS: dict[str, dict[str, Entry]] = {
    "Play": {
        "status": Entry("matches", "status", "List the matches waiting for you, longest wait first."),
        "next": Entry("board", "next_match", "Go to the match that has been waiting for you longest."),
        "board": Entry("board", "board", "Show a match."),
        "moves": Entry("board", "moves", "List your possible moves."),
        "play": Entry("play", "play", "Make a move."),
        "withdraw": Entry("play", "withdraw", "Take back your move while it's still sealed."),
        "retry": Entry("play", "retry", "Resend a move that couldn't be sent."),
        "use": Entry("board", "use", "Set the current match."),
        "watch": Entry("board", "watch", "Watch a match and show it again when something happens."),
        "log": Entry("history", "log", "Show what happened in a match."),
        "review": Entry("review", "review", "Review your decisions in a finished match."),
        "history": Entry("history", "history", "Step through a match, turn by turn."),
    },
    "Matches": {
        "matches": Entry("matches", "matches", "List your matches, open matches, or finished ones."),
        "new": Entry("lobby", "new", "Create a match."),
        "invite": Entry("lobby", "invite", "Invite someone by username or email address."),
        "join": Entry("lobby", "join", "Take a seat in an open match, or accept an invitation."),
        "uninvite": Entry("lobby", "uninvite", "Withdraw an invitation, which frees the seat it reserved."),
        "decline": Entry("lobby", "decline", "Decline an invitation."),
        "rematch": Entry("lobby", "rematch", "Play again with the same people and settings."),
        "leave": Entry("lobby", "leave", "Leave a match before it starts."),
        "bots": Entry("lobby", "bots", "Give free seats in your match to bots."),
        "start": Entry("lobby", "start", "Start your match with the players who have joined."),
        "cancel": Entry("lobby", "cancel", "Cancel your match before it starts."),
    },
    "Proposals and stand-ins": {
        "propose": Entry("proposals", "propose", "Propose more time, a pause, or a new player for a seat."),
        "proposals": Entry("proposals", "proposals", "List open and decided proposals."),
        "agree": Entry("proposals", "agree", "Agree to a proposal, or accept an offered seat."),
        "refuse": Entry("proposals", "refuse", "Refuse a proposal or an offered seat."),
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
        "verify": Entry("proof", "verify", "Check that a match was fair, on your own machine."),
        "export": Entry("proof", "export", "Save everything you can see in a match to one file."),
    },
    "Learn": {
        "demo": Entry("demo", "demo", "Play against bots right now, without an account."),
        "games": Entry("games", "games", "List the games."),
        "rules": Entry("games", "rules", "Read a game's rules."),
    },
    "Account": {
        "register": Entry("login", "register", "Create an account."),
        "login": Entry("login", "login", "Log in on this machine."),
        "logout": Entry("login", "logout", "Log out on this machine."),
        "password": Entry("account", "password", "Change or reset your password."),
        "whoami": Entry("account", "whoami", "Show who you are logged in as, and where."),
        "account": Entry("account", "account", "Change your name, time zone, or email address."),
        "notify": Entry("notify", "app", "Notification settings and vacations."),
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
