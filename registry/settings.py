"""One settings module for every installation: the environment speaks, and silence is safe.

Names read here: SECRET_KEY, SECRET_KEY_FALLBACKS, PUBLIC_ADDRESS, ALLOWED_HOSTS, DATABASE_URL,
DATABASE_OWNER_URL, BONA_FIDE_DATA, BONA_FIDE_DEMO, DEBUG, REQUIRE_SECOND_FACTOR, RULESET,
TRUSTED_PROXIES, DEFAULT_FROM_EMAIL and EMAIL_HOST, EMAIL_PORT, EMAIL_USER, EMAIL_PASSWORD,
EMAIL_SECURITY; OPENID_SERVER_URL, OPENID_CLIENT_ID, OPENID_CLIENT_SECRET and
OPENID_IS_SECOND_FACTOR for sign-in by the county's own provider.
"""

import os
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pghistory
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from registry import database
from registry.openid import county_provider
from registry.places import CHECKOUT, data_directory, remembered_address, secret_key
from registry.ruleset import county_time_zone


def _is_on(name: str, *, unset: bool = False) -> bool:
    value = os.environ.get(name, "")
    return unset if value == "" else value.lower() in {"1", "true", "yes", "on"}


def _list(name: str) -> list[str]:
    return [item.strip() for item in os.environ.get(name, "").split(",") if item.strip()]


# Which installation this is
DEBUG = _is_on("DEBUG")
DEMO = _is_on("BONA_FIDE_DEMO")
IS_PUBLIC = not (DEBUG or DEMO)
SECRET_KEY = secret_key()
SECRET_KEY_FALLBACKS = _list("SECRET_KEY_FALLBACKS")
RULESET = os.environ.get("RULESET", "pasco")

# QR codes on printed tags need an address that outlives the day: without one none is printed.
PUBLIC_ADDRESS = os.environ.get("PUBLIC_ADDRESS", "").rstrip("/")
if not PUBLIC_ADDRESS and database.is_embedded():
    PUBLIC_ADDRESS = remembered_address()
_public_host = urlsplit(PUBLIC_ADDRESS).hostname
ALLOWED_HOSTS = _list("ALLOWED_HOSTS") + ([_public_host] if _public_host else [])
if not IS_PUBLIC:
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]"]

# The house
INSTALLED_APPS = [
    "registry",
    "licenses",
    "volunteers",
    "inspections",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django_filters",
    "django_htmx",
    "django_tables2",
    "django_tasks",
    "django_tasks_db",
    "pghistory",
    "pgtrigger",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "registry.middleware.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "registry.urls"
WSGI_APPLICATION = "registry.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Rows
DATABASES = {"default": database.from_url_or_embedded()}
DATABASE_OWNER = database.owner_login()
CACHES = {
    "default": {
        # Rate limits must hold across the server's processes.
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
    }
}
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
PGHISTORY_APPEND_ONLY = True
PGHISTORY_DEFAULT_TRACKERS = (
    pghistory.InsertEvent(),
    pghistory.UpdateEvent(),
    pghistory.DeleteEvent(),
)
PGHISTORY_CONTEXT_FIELD = pghistory.ContextJSONField()
PGHISTORY_CONTEXT_ID_FIELD = pghistory.ContextUUIDField()

# Pages
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [CHECKOUT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "registry.frame.frame",
            ],
        },
    }
]
FORM_RENDERER = "registry.forms.RegisterRenderer"
DJANGO_TABLES2_TEMPLATE = "django_tables2/table.html"

# Files
STATIC_URL = "static/"
STATIC_ROOT = data_directory() / "static"
_fonts = find_spec("fontpkg_public_sans")
STATICFILES_DIRS = [("uswds", CHECKOUT / "node_modules" / "@uswds" / "uswds" / "dist")]
if _fonts and _fonts.origin:
    STATICFILES_DIRS.append(("fonts/public-sans", Path(_fonts.origin).parent / "files"))
STATICFILES_FINDERS = [
    "registry.staticfiles.NeededFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if IS_PUBLIC
            else "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
        )
    },
}
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("map", "png", "jpg", "webp", "gif", "woff2")
MEDIA_ROOT = data_directory() / "documents"
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "registry.uploads.BoundedUploads",
]
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700

# Words and days
LANGUAGE_CODE = "en-us"
LANGUAGES = [("en-us", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [CHECKOUT / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = county_time_zone(RULESET)

# Accounts
AUTH_USER_MODEL = "registry.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
     "OPTIONS": {"user_attributes": ("email", "name")}},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
     "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]  # fmt: skip
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "registry.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "registry.adapters.SignUp"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_PUBLIC else "http"
MFA_ADAPTER = "registry.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {"add_webauthn": "registry.passkeys.AddPasskeyForm"}
MFA_TOTP_ISSUER = "Bingo Registry"
MFA_TOTP_TOLERANCE = 1
# The county's own sign-in, for officials: on when all three are set.
SOCIALACCOUNT_ADAPTER = "registry.county_login.CountyAdapter"
SOCIALACCOUNT_PROVIDERS = county_provider(os.environ)
OPENID_IS_SECOND_FACTOR = _is_on("OPENID_IS_SECOND_FACTOR")
REQUIRE_SECOND_FACTOR = _is_on("REQUIRE_SECOND_FACTOR", unset=not DEMO)
# How many proxies of our own stand in front: the client's address for rate limits comes from them.
ALLAUTH_TRUSTED_PROXY_COUNT = int(os.environ.get("TRUSTED_PROXIES", "0"))

# How often one address may ask these pages in a minute.
PUBLIC_PAGES_A_MINUTE = {
    "scan": 60,
    "tag_check": 20,
    "license_lookup": 60,
    "concern": 5,
    "statement": 20,
    "statement_link": 20,
    "register_search": 30,
    "claim": 5,
}

# Mail
EMAIL_BACKEND = "registry.mail.QueuedBackend"
MAIL_CARRIER = (
    "django.core.mail.backends.smtp.EmailBackend" if IS_PUBLIC else "registry.mail.DemoCarrier"
)
DEMO_MAIL = data_directory() / "mail"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get(
    "DEFAULT_FROM_EMAIL", f"bingo-registry@{_public_host or 'localhost'}"
)
EMAIL_HOST = os.environ.get("EMAIL_HOST", "localhost")
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "25"))
EMAIL_HOST_USER = os.environ.get("EMAIL_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_PASSWORD", "")
EMAIL_USE_TLS = os.environ.get("EMAIL_SECURITY") == "starttls"
EMAIL_USE_SSL = os.environ.get("EMAIL_SECURITY") == "tls"
EMAIL_TIMEOUT = 20

# A roster may have 20,000 lines, each of them a tick and a duty in one form.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 50_000

# Safety
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = IS_PUBLIC
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if IS_PUBLIC else 0
if ALLAUTH_TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_NAME = "__Host-session" if IS_PUBLIC else "bona-fide-session"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = IS_PUBLIC
CSRF_COOKIE_NAME = "__Host-csrftoken" if IS_PUBLIC else "bona-fide-csrftoken"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
# A shift at the counter; a regulator's browser left open overnight asks again.
SESSION_COOKIE_AGE = 12 * 3600
SILENCED_SYSTEM_CHECKS = [
    "auth.W004",  # the address is unique, by a constraint on its lower case
    "security.W005",  # the county's other hosts under this name are not ours to bind
    "security.W021",  # nor is the browsers' preload list
]

# What the operator reads
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # Pages that are not there and strangers' host names are everyday life.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
