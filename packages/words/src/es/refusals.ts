import type refusals from '../en/refusals.ts';
import type { Translated } from '../message.ts';

export default {
  unreachable:
    'No se puede acceder al servidor. Compruebe su conexión e inténtelo de nuevo; lo que escribió se conserva.',
  unreadable: 'La respuesta del servidor no se pudo leer. Inténtelo de nuevo.',
  sign_in_required: 'Su sesión está cerrada. Inicie sesión e inténtelo de nuevo.',
  sign_in_failed:
    'La dirección de correo o la contraseña no es correcta. Inténtelo de nuevo o pida un enlace por correo.',
  second_factor_failed: 'Este código no es correcto o ya se usó. Espere al siguiente o use un código de recuperación.',
  sign_in_step_over: 'Este inicio de sesión tardó demasiado o terminó en otro lugar. Empiece de nuevo.',
  passkey_not_valid: 'Esta llave de acceso no fue aceptada. Inténtelo de nuevo o inicie sesión de otra forma.',
  pin_wrong: 'Este PIN no es correcto.',
  permission_required:
    'Su rol no lo permite (o ya no). Un propietario o administrador de la organización puede cambiarlo.',
  second_factor_required:
    'Esta organización exige un segundo factor. Configúrelo en su cuenta y después inicie sesión con él.',
  sign_in_again: 'Inicie sesión de nuevo para demostrar que es usted y repita la acción.',
  cross_site_request: 'Esta solicitud no vino de una página de esta instalación. Abra la aplicación y hágalo allí.',
  signup_closed: 'Las organizaciones nuevas las crea quien administra esta instalación. Pida una invitación.',
  sandbox_account: 'La cuenta inventada del entorno de pruebas es de todos, por eso no se puede cambiar.',
  entitlement_required: 'El plan de esta organización no incluye esto.',
  instance_read_only: 'Esta instalación solo se puede leer, porque su licencia fue revocada.',
  validation_failed: 'Algo no es correcto todavía. Revise los campos marcados.',
  not_found: 'Esto no existe (o ya no), o usted no tiene acceso.',
  link_not_valid: 'Este enlace ya se usó, se retiró o ha caducado. Pida uno nuevo.',
  request_timeout: 'La solicitud no llegó a tiempo. Envíela de nuevo.',
  payload_too_large: 'Esto es mayor de lo que se puede enviar aquí.',
  invalid_state: 'Su estado actual no lo permite. Recargue la página para ver qué ha cambiado.',
  mixed_groups:
    'También hay personas de otros grupos, que usted no ve. Actúe sobre las suyas una por una o pida ayuda a alguien sin límite de grupo.',
  code_taken: 'Este código ya está en uso. Elija otro.',
  last_owner: 'Una organización necesita un propietario y este es el último. Nombre antes a otro propietario.',
  email_not_proved: 'Aún no está confirmado que esta dirección sea suya. Abra el enlace que recibió por correo.',
  idempotency_in_progress: 'Todavía se está haciendo. Espere un momento e inténtelo de nuevo.',
  attendee_cap_reached: 'Se ha alcanzado el número de personas que permite el plan.',
  event_full: 'No quedan plazas.',
  type_full: 'No quedan plazas de este tipo.',
  day_full: 'No quedan plazas para este día.',
  too_many_jobs: 'Hay demasiadas tareas en espera o en curso. Espere a que termine una o cancele alguna.',
  storage_full:
    'Los archivos de esta organización ocupan todo el espacio permitido. Cada uno se elimina un día después de terminar su tarea.',
  replay_expired: 'Una entrega se puede reenviar durante 30 días. Esta es más antigua.',
  webhook_url_refused:
    'No se pueden enviar webhooks a esta dirección. Use una dirección https con un servidor público.',
  license_not_valid: 'Esta instalación necesita una licencia válida para esto.',
  duplicate_email: 'Esta dirección de correo ya está inscrita.',
  rate_limited: 'Demasiadas solicitudes a la vez. Espere un momento e inténtelo de nuevo.',
  sign_in_throttled: 'Han fallado demasiados intentos. Espere {wait} o inicie sesión de otra forma.',
  internal_error: 'Algo ha fallado por nuestra parte. No se ha cambiado nada; inténtelo de nuevo.',
  unavailable: 'El servicio no puede responder ahora. Inténtelo dentro de un momento.',
  oidc_unavailable:
    'El inicio de sesión único no está disponible en este momento. Inténtelo dentro de un momento o inicie sesión de otra forma.',
  oidc_cancelled: 'El inicio de sesión único se canceló, o su proveedor no le permitió entrar.',
  oidc_step_over: 'El inicio de sesión único tardó demasiado o se empezó en otro navegador. Inténtelo de nuevo.',
  oidc_failed:
    'La respuesta de su proveedor no fue aceptada. Inténtelo de nuevo; si vuelve a ocurrir, avise a quien administra esta instalación.',
  oidc_email_not_verified:
    'Su proveedor no confirma que su dirección de correo sea realmente suya. Inicie sesión de otra forma, o haga verificar allí su dirección.',
  oidc_address_not_proved:
    'Existe una cuenta con su dirección, pero todavía no está confirmado que pertenezca a su titular. Pida primero un enlace por correo; después funcionará el inicio de sesión único.',
  oidc_no_account: 'Nadie con su dirección de correo tiene una cuenta aquí. Pida una invitación.',
  oidc_other_address: 'La invitación es para una dirección de correo distinta de la que conoce su proveedor.',
} satisfies Translated<typeof refusals>;
