"""The `turnpost` command line. It only talks HTTP to a server.

main.py assembles the commands listed in command_list.py; commands/ has a module for each group of them. A command is a
function that takes a Session (session.py) and returns a Result (command.py); render/ turns the result into text.
client.py talks to the server, problems.py has the errors, local_store.py saves state on this machine.
"""
