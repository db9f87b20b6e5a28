import type { ConnectionTest, ConnectorField, Connector as Shown } from '@voisol/contract/connections'
import type { z } from 'zod'
import type { OutboundClient } from '../post/outbound-client.ts'
import { RefusedAddressError } from '../post/post.ts'

export type ConnectorSettings = Record<string, string>
/** What a connector uses to reach other systems. */
export type ConnectorTools = {
  outside: OutboundClient
  /** The weather simulator that runs beside the demo; null where there is none. */
  weather: { local: string | null }
}
/** A connection with its secrets decrypted: its settings, and the host key that identifies its server. */
export type OpenedConnection = { settings: ConnectorSettings; hostKey: string }
/** A local file to send. */
export type OutgoingFile = { name: string; path: string; bytes: number; sha256: string; mediaType: string }

/**
 * A kind of system that a company can connect to: one file and one row of `table.ts`. `settings` validates what was
 * entered, `refusals` checks each host against the address guard, `test` connects and reports what it found.
 */
export type Connector = Omit<Shown, 'fields'> & {
  fields: ConnectorField[]
  settings: z.ZodType<ConnectorSettings, ConnectorSettings>
  /** Fields that decide where secrets are sent: when one changes, the secrets must be entered again. */
  whereTo: string[]
  refusals(tools: ConnectorTools, settings: ConnectorSettings): { field: string; message: string }[]
  /** `to` is the address of the person who runs the test. */
  test(tools: ConnectorTools, opened: OpenedConnection, to: string): Promise<Omit<ConnectionTest, 'ok'>>
  deliver?(tools: ConnectorTools, opened: OpenedConnection, parcel: OutgoingFile): Promise<void>
}

type ConnectorFieldInput = Pick<ConnectorField, 'name' | 'label'> & Partial<ConnectorField>
export const defineConnectorField = (draft: ConnectorFieldInput): ConnectorField => ({
  hint: '',
  type: 'text',
  options: [],
  optional: false,
  initial: '',
  ...draft,
})
export const isSecretField = ({ type }: ConnectorField) => type === 'secret' || type === 'long-secret'

/** What went wrong, in a sentence that says what to do. `hopeless`: no retry can help, a person must act. */
export class ConnectionFault extends Error {
  readonly hopeless: boolean
  /** The host key that the server presented instead of the expected one. */
  readonly offeredKey: string
  constructor(message: string, more: { hopeless?: boolean; offeredKey?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.hopeless = more.hopeless ?? false
    this.offeredKey = more.offeredKey ?? ''
  }
}

type KnownFault = [message: string, hopeless?: true]
const EXPIRED_CERTIFICATE: KnownFault = [
  'Le certificat du serveur a expiré\u00a0: demandez à son exploitant de le renouveler, puis essayez à nouveau.',
]
const UNTRUSTED_CERTIFICATE: KnownFault = [
  'Le certificat du serveur n’est signé par aucune autorité reconnue\u00a0: demandez à son exploitant un certificat public.',
  true,
]
const FAULTS_BY_CODE: Record<string, KnownFault> = {
  ENOTFOUND: [
    'Ce nom de serveur n’existe pas dans le DNS\u00a0: vérifiez son orthographe, ou demandez à son exploitant de le publier.',
  ],
  EAI_AGAIN: ['Le DNS n’a pas répondu\u00a0: réessayez dans quelques minutes.'],
  ECONNREFUSED: ['Le serveur refuse la connexion sur ce port\u00a0: vérifiez le port, et que le service est démarré.'],
  ECONNRESET: [
    'Le serveur a coupé la connexion\u00a0: vérifiez qu’il admet l’adresse de Voisol et le chiffrement choisi.',
  ],
  EPIPE: [
    'Le serveur a coupé la connexion pendant l’envoi\u00a0: réessayez, ou vérifiez la place et les limites du serveur.',
  ],
  ETIMEDOUT: ['Le serveur n’a pas répondu à temps\u00a0: vérifiez l’adresse, le port et le pare-feu devant lui.'],
  EHOSTUNREACH: ['Aucune route ne mène à ce serveur\u00a0: vérifiez l’adresse et son réseau.'],
  ENETUNREACH: ['Aucune route ne mène à ce serveur\u00a0: vérifiez l’adresse et son réseau.'],
  CERT_HAS_EXPIRED: EXPIRED_CERTIFICATE,
  CERT_NOT_YET_VALID: ['Le certificat du serveur n’est pas encore valable\u00a0: vérifiez son horloge et ses dates.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED_CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED_CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED_CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED_CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'Le certificat du serveur est celui d’un autre nom\u00a0: donnez le nom qui figure dans le certificat, ou faites-le corriger.',
    true,
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'Le serveur ne parle pas TLS sur ce port\u00a0: choisissez l’autre chiffrement, ou le port qui va avec.',
    true,
  ],
  ENOSPC: ['Il n’y a plus de place au bout de cette connexion\u00a0: libérez-en, ou gardez-y moins de fichiers.'],
}
const PRIVATE_ADDRESS =
  'Le DNS de ce nom mène à une adresse privée\u00a0: rien n’y est envoyé. Faites corriger l’enregistrement du domaine, ou donnez un nom public.'
const TIMEOUT = /timed? ?out|timeout/i

const getErrorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Any error as a sentence. What the remote system wrote is not repeated: it may contain what was sent to it. */
export function toConnectionFault(error: unknown): ConnectionFault {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof ConnectionFault) return at
    if (at instanceof RefusedAddressError) return new ConnectionFault(PRIVATE_ADDRESS, { hopeless: true, cause: error })
    const known = FAULTS_BY_CODE[getErrorCode(at)]
    if (known) return new ConnectionFault(known[0], { hopeless: known[1] ?? false, cause: error })
    if (at.name === 'TimeoutError' || TIMEOUT.test(at.message))
      return new ConnectionFault((FAULTS_BY_CODE.ETIMEDOUT as KnownFault)[0], { cause: error }) // a row of the table
  }
  return new ConnectionFault(
    'L’autre bout n’a pas fait ce qui était attendu\u00a0: vérifiez les réglages, puis essayez à nouveau.',
    { cause: error },
  )
}

/** An HTML page where data was expected comes from a portal, a proxy or a maintenance page. */
export function requireNotHtml(response: Response, text: string) {
  const type = response.headers.get('content-type') ?? ''
  if (/text\/html/i.test(type) || /^\s*<(?:!doctype html|html)/i.test(text))
    throw new ConnectionFault(
      'Le serveur répond une page HTML et non des données\u00a0: l’adresse mène sans doute à un portail ou à une page de maintenance. Donnez l’adresse de l’interface elle-même.',
    )
}
