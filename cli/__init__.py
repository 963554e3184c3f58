"""The `turnpost` command line. It talks HTTP to a server, and nothing else.

main.py assembles the commands that command_list.py names; commands/ has a module for each group of them. A command is a
function of a Session (session.py) that returns a Result (command.py); render/ turns what it found into text. client.py
is the server, problems.py what can go wrong, local_store.py what is remembered on this machine.
"""
