import type refusals from '../en/refusals.ts';
import type { Translated } from '../message.ts';

export default {
  unreachable:
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut; Ihre Eingaben bleiben erhalten.',
  unreadable: 'Die Antwort des Servers war nicht lesbar. Versuchen Sie es erneut.',
  sign_in_required: 'Sie sind abgemeldet. Melden Sie sich an und versuchen Sie es erneut.',
  sign_in_failed:
    'E-Mail-Adresse oder Passwort stimmt nicht. Versuchen Sie es erneut, oder lassen Sie sich einen Link per E-Mail schicken.',
  second_factor_failed:
    'Dieser Code stimmt nicht oder wurde schon benutzt. Warten Sie auf den nächsten, oder nehmen Sie einen Wiederherstellungscode.',
  sign_in_step_over: 'Diese Anmeldung hat zu lange gedauert oder wurde anderswo beendet. Beginnen Sie von vorn.',
  passkey_not_valid: 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  pin_wrong: 'Diese PIN stimmt nicht.',
  permission_required:
    'Ihre Rolle erlaubt das nicht (mehr). Ein Inhaber oder Administrator der Organisation kann das ändern.',
  second_factor_required:
    'Diese Organisation verlangt einen zweiten Faktor. Richten Sie ihn in Ihrem Konto ein und melden Sie sich damit an.',
  sign_in_again: 'Melden Sie sich erneut an, um zu zeigen, dass Sie es sind, und wiederholen Sie es dann.',
  cross_site_request:
    'Diese Anfrage kam nicht von einer Seite dieser Installation. Öffnen Sie die App und versuchen Sie es dort.',
  signup_closed: 'Neue Organisationen legt der Betreiber dieser Installation an. Bitten Sie um eine Einladung.',
  sandbox_account:
    'Das Konto der erfundenen Person in der Sandbox gehört allen und kann deshalb nicht geändert werden.',
  sandbox_full:
    'Die Sandbox ist voll. Sie beginnt jede Nacht um 03:00 Uhr UTC von vorn. Für mehr legen Sie eine eigene Organisation an.',
  entitlement_required: 'Der Tarif dieser Organisation enthält das nicht.',
  instance_read_only: 'Diese Installation kann zurzeit nur gelesen werden, weil ihre Lizenz widerrufen wurde.',
  validation_failed: 'Etwas stimmt noch nicht. Sehen Sie sich die markierten Felder an.',
  not_found: 'Das gibt es nicht (mehr), oder Sie haben keinen Zugriff darauf.',
  link_not_valid: 'Dieser Link wurde benutzt, zurückgezogen oder ist abgelaufen. Bitten Sie um einen neuen.',
  request_timeout: 'Die Anfrage kam nicht rechtzeitig an. Senden Sie sie erneut.',
  changed_meanwhile:
    'Jemand anderes hat das gerade geändert. Laden Sie die Seite neu, um zu sehen, was sich geändert hat.',
  payload_too_large: 'Das ist größer, als hier gesendet werden kann.',
  invalid_state: 'Der jetzige Zustand erlaubt das nicht. Laden Sie die Seite neu, um zu sehen, was sich geändert hat.',
  mixed_groups:
    'Dazu gehören auch Personen anderer Gruppen, die Sie nicht sehen. Bearbeiten Sie Ihre eigenen einzeln, oder fragen Sie jemanden ohne Beschränkung auf eine Gruppe.',
  code_taken: 'Dieses Kürzel ist vergeben. Wählen Sie ein anderes.',
  last_owner:
    'Eine Organisation braucht einen Inhaber, und das ist der letzte. Machen Sie zuerst jemand anderen zum Inhaber.',
  email_not_proved:
    'Es ist noch nicht bestätigt, dass diese Adresse Ihnen gehört. Öffnen Sie den Link in der E-Mail an Sie.',
  idempotency_in_progress: 'Das wird gerade noch ausgeführt. Warten Sie einen Moment und versuchen Sie es erneut.',
  attendee_cap_reached: 'Es sind so viele Personen angemeldet, wie der Tarif erlaubt.',
  event_full: 'Es ist kein Platz mehr frei.',
  type_full: 'Für diese Art ist kein Platz mehr frei.',
  day_full: 'An diesem Tag ist kein Platz mehr frei.',
  price_changed:
    'Die Preise haben sich geändert, deshalb wurde nichts gebucht. Sehen Sie sich die neue Summe an und versuchen Sie es noch einmal.',
  registration_closed: 'Die Anmeldung ist geschlossen.',
  type_not_available: 'Diese Art wird nicht mehr angeboten.',
  day_not_available: 'Dieser Tag ist vorbei oder wird für diese Art nicht angeboten.',
  too_many_unpaid_from_network:
    'Aus Ihrem Netz sind hier zu viele Personen angemeldet, für die noch nicht bezahlt ist. Bezahlen Sie für sie, oder warten Sie, bis ihre Plätze wieder frei sind, und schicken Sie das Formular dann noch einmal ab.',
  too_many_unpaid_for_email:
    'Unter dieser E-Mail-Adresse sind hier zu viele Personen angemeldet, für die noch nicht bezahlt ist. Bezahlen Sie für sie, oder warten Sie, bis ihre Plätze wieder frei sind, und schicken Sie das Formular dann noch einmal ab.',
  too_many_jobs: 'Zu viele Aufträge warten oder laufen. Warten Sie, bis einer fertig ist, oder brechen Sie einen ab.',
  storage_full:
    'Die Dateien dieser Organisation belegen allen Platz, den sie haben. Jede wird einen Tag nach dem Ende ihres Auftrags entfernt.',
  endpoint_limit_reached:
    'Es gibt so viele Webhooks, wie der Tarif erlaubt. Löschen Sie einen, der nicht mehr gebraucht wird, oder wechseln Sie in einen größeren Tarif.',
  replay_expired: 'Eine Zustellung kann 30 Tage lang wiederholt werden. Diese ist älter.',
  webhook_url_refused:
    'An diese Adresse können keine Webhooks gesendet werden. Nehmen Sie eine https-Adresse mit öffentlichem Host.',
  license_not_valid: 'Diese Installation braucht dafür eine gültige Lizenz.',
  duplicate_email: 'Diese E-Mail-Adresse ist schon angemeldet.',
  rate_limited: 'Zu viele Anfragen auf einmal. Warten Sie einen Moment und versuchen Sie es erneut.',
  sign_in_throttled: 'Zu viele Versuche sind fehlgeschlagen. Warten Sie {wait}, oder melden Sie sich anders an.',
  internal_error: 'Auf unserer Seite ist etwas schiefgegangen. Es wurde nichts geändert; versuchen Sie es erneut.',
  unavailable: 'Der Dienst kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
  oidc_unavailable:
    'Die zentrale Anmeldung ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal, oder melden Sie sich anders an.',
  oidc_cancelled: 'Die zentrale Anmeldung wurde abgebrochen, oder Ihr Anbieter hat Sie nicht zugelassen.',
  oidc_step_over:
    'Die zentrale Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es erneut.',
  oidc_failed:
    'Die Antwort Ihres Anbieters wurde nicht angenommen. Versuchen Sie es erneut; wenn es wieder passiert, sagen Sie es dem Betreiber dieser Installation.',
  oidc_email_not_verified:
    'Ihr Anbieter bestätigt nicht, dass Ihre E-Mail-Adresse wirklich Ihnen gehört. Melden Sie sich anders an, oder lassen Sie die Adresse dort bestätigen.',
  oidc_address_not_proved:
    'Es gibt ein Konto mit Ihrer Adresse, aber noch ist nicht bestätigt, dass die Adresse dessen Inhaber gehört. Lassen Sie sich zuerst einen Link per E-Mail schicken; danach funktioniert die zentrale Anmeldung.',
  oidc_no_account: 'Niemand mit Ihrer E-Mail-Adresse hat hier ein Konto. Bitten Sie um eine Einladung.',
  oidc_other_address: 'Die Einladung gilt für eine andere E-Mail-Adresse als die, die Ihr Anbieter kennt.',
  'fault.required': 'Bitte ausfüllen.',
  'fault.empty': 'Bitte ausfüllen.',
  'fault.too_short': { one: 'Mindestens ein Zeichen.', other: 'Mindestens {count} Zeichen.' },
  'fault.too_long': { one: 'Höchstens ein Zeichen.', other: 'Höchstens {count} Zeichen.' },
  'fault.too_low': 'Mindestens {count}.',
  'fault.too_high': 'Höchstens {count}.',
  'fault.too_few': { one: 'Geben Sie mindestens eines an.', other: 'Geben Sie mindestens {count} an.' },
  'fault.too_many': { one: 'Geben Sie höchstens eines an.', other: 'Geben Sie höchstens {count} an.' },
  'fault.repeated': 'Etwas steht hier doppelt.',
  'fault.not_one_of': 'Wählen Sie einen der angebotenen Werte.',
  'fault.wrong_type': 'Ein Wert dieser Art gehört nicht hierher.',
  'fault.not_email': 'Das ist keine E-Mail-Adresse. Sie sieht aus wie name@example.org.',
  'fault.not_date': 'Das ist kein Datum.',
  'fault.not_time': 'Das ist kein Datum mit Uhrzeit.',
  'fault.not_timezone': 'Das ist keine Zeitzone. Sie sieht aus wie Europe/Berlin.',
  'fault.not_currency': 'Das ist keine Währung. Sie sieht aus wie EUR.',
  'fault.not_code':
    'Verwenden Sie 1 bis 63 Buchstaben, Ziffern, Binde- oder Unterstriche, und beginnen Sie mit einem Buchstaben oder einer Ziffer.',
  'fault.not_url': 'Das ist keine https-Adresse.',
  'fault.not_number': 'Das ist keine Zahl.',
  'fault.not_phone': 'Das ist keine Telefonnummer.',
  'fault.not_web_address': 'Das ist keine Adresse einer Seite. Sie beginnt mit https://.',
  'fault.not_origin': 'In jeder Zeile muss eine Website wie https://www.example.org stehen, ohne etwas dahinter.',
  'fault.not_host': 'Das ist kein Hostname. Er sieht aus wie tickets.example.org, ohne https:// und ohne Pfad.',
  'fault.own_host': 'Dieser Host gehört der Installation selbst.',
  'fault.not_in_future': 'Der Zeitpunkt muss in der Zukunft liegen.',
  'fault.common_password': 'Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.',
  'fault.not_picture': 'Das ist kein Bild im Format JPEG, PNG oder WebP. Speichern Sie es in einem dieser Formate.',
  'fault.too_many_pixels': 'Dieses Bild hat mehr als {count} Millionen Pixel. Verkleinern Sie es.',
  'fault.picture_damaged':
    'Dieses Bild lässt sich nicht lesen. Speichern Sie es noch einmal und versuchen Sie es mit der neuen Datei.',
} satisfies Translated<typeof refusals>;
