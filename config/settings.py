"""What may differ is read from environment variables, listed in the README; none of them has to be set."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from config.environment import Environment

ROOT = Path(__file__).resolve().parent.parent
environment = Environment(os.environ)

DATA = environment.folder("TURNPOST_DATA", ROOT / "var")
SECRET_KEY = environment.secret_key("TURNPOST_SECRET_KEY", kept_in=DATA / "secret_key")
VAULT_KEYS = environment.vault_keys("TURNPOST_VAULT_KEYS", kept_in=DATA / "vault_key")
DEBUG = environment.flag("TURNPOST_DEBUG")

PUBLIC_URL = environment.web_address("TURNPOST_URL", "http://localhost:8000")
PUBLIC_HOST = urlsplit(PUBLIC_URL).hostname
ALLOWED_HOSTS = [PUBLIC_HOST, *environment.words("TURNPOST_HOSTS", "localhost, 127.0.0.1, [::1]")]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

DATABASES = {"default": environment.database("DATABASE_URL", default=DATA / "turnpost.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = environment.broker("BROKER_URL")
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

globals().update(environment.email("EMAIL_URL", default=DATA / "mail"))
DEFAULT_FROM_EMAIL = environment.text("TURNPOST_MAIL_FROM", f"Turnpost <turnpost@{PUBLIC_HOST}>")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts",
    "games",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "email", "display_name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["knox.auth.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Turnpost",
    "DESCRIPTION": "Play-by-mail board games: matches, sealed moves, and notices when it is your turn.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_TZ = True
TIME_ZONE = "UTC"
