import type agents from '../en/agents.ts';
import type { Translated } from '../message.ts';

export default {
  lead: 'Un agente es un programa con un modelo de lenguaje que trabaja para usted: busca datos, inscribe a personas y prepara mensajes. Cada agente usa una de sus claves.',
  allow: 'Permitir que los agentes usen sus claves',
  allowHint:
    'Un agente puede hacer exactamente lo que puede su clave, y el registro de auditoría nombra a ambos. Mientras esté desactivado, ninguna clave sirve para agentes.',
  on: 'Los agentes ya pueden usar sus claves',
  off: 'Los agentes ya no pueden usar sus claves',
  askTitle: 'Solo los propietarios y administradores pueden activar los agentes',
  askText: 'Si su agente responde que los agentes están desactivados, pídaselo a uno de ellos.',
  connect: 'Conectar un agente',
  connectLead:
    'Los programas que conocen el Model Context Protocol necesitan la dirección y una clave. Muchos leen ambas de un archivo como este.',
  address: 'Dirección',
  configuration: 'Configuración',
  advice: 'Antes de empezar',
  adviceKey: 'Cree una clave para cada agente, con los menos permisos posibles: «Lectura» basta para consultar.',
  adviceGroup: 'Limite una clave a un grupo para no mostrarle nada más al agente.',
  adviceTest: 'Pruebe primero con una clave de prueba: solo cambia {@events} de prueba.',
  adviceText:
    'Los nombres, las respuestas y las notas los escriben desconocidos, y un agente puede tomarlos por instrucciones. Haga que su programa le pregunte antes de cambiar algo.',
  createKey: 'Crear clave',
} satisfies Translated<typeof agents>;
