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
  passkey_not_valid: 'Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  pin_wrong: 'Falsche PIN. Versuchen Sie es noch einmal.',
  permission_required:
    'Ihre Rolle erlaubt das nicht. Wenden Sie sich an einen Inhaber oder Administrator Ihrer Organisation.',
  second_factor_required:
    'Diese Organisation verlangt einen zweiten Faktor. Richten Sie ihn in Ihrem Konto ein und melden Sie sich damit an.',
  sign_in_again: 'Melden Sie sich erneut an, um zu zeigen, dass Sie es sind, und wiederholen Sie es dann.',
  cross_site_request: 'Diese Anfrage kam von einer anderen Website. Öffnen Sie die App und versuchen Sie es dort.',
  signup_closed: 'Neue Organisationen legt der Betreiber dieser Installation an. Bitten Sie um eine Einladung.',
  sandbox_account: 'Alle in der Sandbox teilen sich dieses Konto, deshalb können Sie es nicht ändern.',
  sandbox_full:
    'Die Sandbox ist voll. Sie beginnt jede Nacht um 03:00 Uhr UTC von vorn. Für mehr legen Sie eine eigene Organisation an.',
  entitlement_required: 'Der Tarif Ihrer Organisation enthält das nicht.',
  instance_read_only: 'Sie können zurzeit nichts ändern, weil die Lizenz dieser Installation widerrufen wurde.',
  validation_failed: 'Prüfen Sie die markierten Felder.',
  not_found: 'Das gibt es nicht mehr, oder Sie haben keinen Zugriff darauf.',
  link_not_valid: 'Dieser Link wurde benutzt, zurückgezogen oder ist abgelaufen. Bitten Sie um einen neuen.',
  request_timeout: 'Die Anfrage kam nicht rechtzeitig an. Senden Sie sie erneut.',
  changed_meanwhile:
    'Jemand anderes hat das gerade geändert. Prüfen Sie, was sich geändert hat, und versuchen Sie es dann erneut.',
  payload_too_large: 'Das ist zu groß zum Senden. Verkleinern Sie es und versuchen Sie es erneut.',
  invalid_state: 'Der aktuelle Status erlaubt das nicht. Laden Sie die Seite neu, um zu sehen, was sich geändert hat.',
  mixed_groups:
    'Dazu gehören auch Personen anderer Gruppen, die Sie nicht sehen. Bearbeiten Sie Ihre eigenen einzeln, oder fragen Sie jemanden ohne Beschränkung auf eine Gruppe.',
  code_taken: 'Dieses Kürzel ist vergeben. Wählen Sie ein anderes.',
  last_owner:
    'Eine Organisation braucht einen Inhaber, und das ist der letzte. Machen Sie zuerst jemand anderen zum Inhaber.',
  email_not_proved: 'Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link, den wir Ihnen geschickt haben.',
  idempotency_in_progress: 'Daran arbeiten wir noch. Warten Sie einen Moment und versuchen Sie es erneut.',
  attendee_cap_reached: 'Es können keine weiteren Personen angemeldet werden: Die Grenze des Tarifs ist erreicht.',
  event_full: 'Es ist kein Platz mehr frei.',
  type_full: 'Für diese Art ist kein Platz mehr frei.',
  day_full: 'An diesem Tag ist kein Platz mehr frei.',
  product_full: 'Davon ist nicht mehr genug da.',
  quota_full: 'Es sind nicht mehr genug Plätze frei.',
  discount_used_up: 'Dieser Code wurde schon so oft verwendet, wie es geht.',
  nothing_to_hand_out: 'Alles, was davon gebucht wurde, ist schon ausgegeben.',
  product_not_available: 'Das gibt es zu diesem Ticket nicht.',
  product_required: 'Es fehlt etwas, das alle nehmen.',
  discount_unknown: 'Dieser Code gilt hier nicht. Prüfen Sie die Schreibweise.',
  discount_not_applicable: 'Dieser Code passt nicht zu dem, was gewählt wurde.',
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
    'Ihre Organisation hat keinen Platz mehr für Dateien. Jede Datei wird einen Tag nach dem Ende ihres Auftrags gelöscht: Versuchen Sie es dann erneut.',
  endpoint_limit_reached:
    'Ihr Tarif erlaubt keine weiteren Webhooks. Löschen Sie einen, den Sie nicht brauchen, oder wechseln Sie in einen größeren Tarif.',
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
  oidc_cancelled:
    'Die zentrale Anmeldung wurde abgebrochen, oder Ihr Anbieter hat Sie nicht zugelassen. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  oidc_step_over:
    'Die zentrale Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es erneut.',
  oidc_failed:
    'Die zentrale Anmeldung hat nicht funktioniert. Versuchen Sie es erneut; wenn es wieder nicht geht, sagen Sie es dem Betreiber dieser Installation.',
  oidc_email_not_verified:
    'Ihr Anbieter hat Ihre E-Mail-Adresse nicht bestätigt. Lassen Sie sie dort bestätigen, oder melden Sie sich anders an.',
  oidc_address_not_proved:
    'Es gibt ein Konto mit Ihrer E-Mail-Adresse, aber sie ist noch nicht bestätigt. Melden Sie sich zuerst mit einem Link per E-Mail an; danach funktioniert die zentrale Anmeldung.',
  oidc_no_account: 'Niemand mit Ihrer E-Mail-Adresse hat hier ein Konto. Bitten Sie um eine Einladung.',
  oidc_other_address:
    'Die Einladung gilt für eine andere E-Mail-Adresse als die bei Ihrem Anbieter. Melden Sie sich anders an, oder bitten Sie um eine neue Einladung.',
  'fault.required': 'Bitte ausfüllen.',
  'fault.empty': 'Bitte ausfüllen.',
  'fault.too_short': { one: 'Mindestens ein Zeichen.', other: 'Mindestens {count} Zeichen.' },
  'fault.too_long': { one: 'Höchstens ein Zeichen.', other: 'Höchstens {count} Zeichen.' },
  'fault.too_low': 'Mindestens {count}.',
  'fault.too_high': 'Höchstens {count}.',
  'fault.too_few': { one: 'Wählen Sie mindestens eines.', other: 'Wählen Sie mindestens {count}.' },
  'fault.too_many': { one: 'Wählen Sie höchstens eines.', other: 'Wählen Sie höchstens {count}.' },
  'fault.repeated': 'Ein Eintrag steht doppelt da. Entfernen Sie einen davon.',
  'fault.not_one_of': 'Wählen Sie einen der angebotenen Werte.',
  'fault.wrong_type': 'Geben Sie einen Wert der richtigen Art ein.',
  'fault.not_email': 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.org.',
  'fault.not_date': 'Geben Sie ein Datum ein.',
  'fault.not_time': 'Geben Sie ein Datum und eine Uhrzeit ein.',
  'fault.not_timezone': 'Geben Sie eine Zeitzone ein, zum Beispiel Europe/Berlin.',
  'fault.not_currency': 'Geben Sie eine Währung ein, zum Beispiel EUR.',
  'fault.not_code':
    'Verwenden Sie 1 bis 63 Buchstaben, Ziffern, Binde- oder Unterstriche, und beginnen Sie mit einem Buchstaben oder einer Ziffer.',
  'fault.not_url': 'Geben Sie eine Adresse ein, die mit https:// beginnt.',
  'fault.not_number': 'Geben Sie eine Zahl ein.',
  'fault.not_phone': 'Geben Sie eine Telefonnummer ein.',
  'fault.not_web_address': 'Geben Sie die Adresse einer Seite ein. Sie beginnt mit https://.',
  'fault.not_origin': 'Geben Sie in jeder Zeile eine Website wie https://www.example.org ein, ohne etwas dahinter.',
  'fault.not_host': 'Geben Sie einen Host wie tickets.example.org ein, ohne https:// und ohne Pfad.',
  'fault.own_host': 'Dieser Host gehört der Installation selbst. Geben Sie einen eigenen ein.',
  'fault.not_in_future': 'Wählen Sie einen Zeitpunkt in der Zukunft.',
  'fault.common_password': 'Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.',
  'fault.not_picture': 'Wählen Sie ein Bild im Format JPEG, PNG oder WebP.',
  'fault.too_many_pixels': 'Dieses Bild hat mehr als {count} Millionen Pixel. Verkleinern Sie es.',
  'fault.picture_damaged':
    'Dieses Bild lässt sich nicht lesen. Speichern Sie es noch einmal und versuchen Sie es mit der neuen Datei.',
} satisfies Translated<typeof refusals>;
