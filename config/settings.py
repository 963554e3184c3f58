"""What may differ is read from environment variables, listed in the README; none of them has to be set."""

import os
from datetime import timedelta
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
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
ALLOWED_HOSTS = [PUBLIC_HOST, *environment.words("TURNPOST_HOSTS", "localhost, 127.0.0.1, [::1]")]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
TRUSTED_PROXIES = environment.number("TURNPOST_PROXIES", 0)
if PUBLIC_URL.startswith("https://"):
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    if TRUSTED_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_AGE = 12 * 3600
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

DATABASES = {"default": environment.database("DATABASE_URL", default=DATA / "turnpost.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = environment.broker("BROKER_URL")
CACHES = {"default": environment.cache("BROKER_URL")}
CELERY_BROKER_TRANSPORT_OPTIONS = environment.broker_options("BROKER_URL")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = environment.text("TURNPOST_QUEUE", "turnpost")
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Every entry is harmless to repeat and to miss once, so beat needs no memory and may run on several machines.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "clock": {"task": "games.clock.sweep", "schedule": 15, "options": {"expires": 15}},
    "forget": {"task": "accounts.forget_expired", "schedule": 3600, "options": {"expires": 3600}},
    "deliver": {"task": "games.mail.deliver", "schedule": 15, "options": {"expires": 15}},
}

mail = environment.email("EMAIL_URL", default=DATA / "mail")
globals().update(mail)
MAIL_FOLDER = mail.get("EMAIL_FILE_PATH")
# Where nothing is set, mail goes into a folder, and whoever sits at this machine may read it in the browser.
MAIL_PAGE = PUBLIC_HOST in LOOPBACK and not TRUSTED_PROXIES and not environment.text("EMAIL_URL")
DEFAULT_FROM_EMAIL = environment.text("TURNPOST_MAIL_FROM", f"Turnpost <turnpost@{PUBLIC_HOST}>")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts",
    "games",
    "rest",
]
MIDDLEWARE = [
    "rest.request_id.RequestId",
    "django.middleware.security.SecurityMiddleware",
    "rest.middleware.ContentSecurityPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "rest.middleware.Limits",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

AUTH_USER_MODEL = "accounts.User"
KNOX_TOKEN_MODEL = "accounts.Token"  # noqa: S105
MIGRATION_MODULES = {"knox": None}  # its only table is replaced by ours
REST_KNOX = {
    "TOKEN_PREFIX": "turnpost_",
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=180),
}
PASSWORD_RESET_TIMEOUT = 3600
PASSWORD_HASHERS = [
    "accounts.hashers.Argon2",
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
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest.parsers.SafeJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_PAGINATION_CLASS": "rest.paging.CursorPages",
    "DEFAULT_SCHEMA_CLASS": "rest.openapi.Schema",
    "DEFAULT_THROTTLE_CLASSES": ["rest.throttles.UserThrottle"],
    "EXCEPTION_HANDLER": "rest.errors.handle",
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
BODY_LIMIT = 64 * 1024
RATES = environment.rates(
    "TURNPOST_RATES",
    {
        "user": "600/minute",
        "address": "1200/minute",
        "login": "120/hour",
        "login_pair": "10/hour",
        "login_account": "60/hour",
        "password": "10/hour",
        "sign_up": "40/hour",
        "code": "60/hour",
        "mailbox": "6/hour",
        "new_match": "60/hour",
        "invitation": "60/hour",
        "invited": "20/hour",
        "message": "30/minute",
        "dry_run": "60/minute",
    },
)
SPECTACULAR_SETTINGS = {
    "TITLE": "Turnpost",
    "DESCRIPTION": "Play-by-mail board games: matches, sealed moves, and notices when it is your turn.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "persistAuthorization": False, "validatorUrl": None},
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "rest.openapi.add_refusals",
    ],
}

STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True

VACATION_DAYS = environment.number("TURNPOST_VACATION_DAYS", 30)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_TZ = True
TIME_ZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request_id": {"()": "rest.logs.RequestIdInLogs"},
        "no_secrets": {"()": "rest.logs.NoSecretsInLogs"},
    },
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "filters": ["request_id", "no_secrets"], "formatter": "line"},
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        # What runs every few seconds is only worth a line when it fails.
        "celery": {"level": "WARNING"},
    },
}
