#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line

from config.sentences import in_a_sentence

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with in_a_sentence():
        execute_from_command_line(sys.argv)
