import type { EndpointReply } from '@voisol/contract/endpoint'
import { passkeys } from '@voisol/contract/passkeys'
import { call } from './call.ts'

/** Loaded when somebody uses a passkey: nobody else needs it. */
const loadPasskeyLibrary = () => import('@simplewebauthn/browser')

/** An address by number has no name that a passkey could be bound to. */
export const canUsePasskeys = () =>
  typeof window === 'object' && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)

/** `detail` is the sentence to show. */
class PasskeyError extends Error {
  readonly detail: string
  constructor(detail: string) {
    super(detail)
    this.detail = detail
  }
}

const PASSKEY_ERROR_MESSAGES: Record<string, string> = {
  NotAllowedError: 'L’opération a été annulée, ou a pris trop de temps. Recommencez quand vous êtes prêt.',
  AbortError: 'L’opération a été annulée. Recommencez quand vous êtes prêt.',
  InvalidStateError: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  NotSupportedError: 'Cet appareil ne sait pas garder de clé d’accès.',
}

/** What the browser says in English, and often not at all. */
const toPasskeyError = (error: unknown) =>
  new PasskeyError(
    PASSKEY_ERROR_MESSAGES[error instanceof Error ? error.name : ''] ??
      'La clé d’accès n’a pas pu être utilisée. Recommencez, ou prenez un autre moyen.',
  )

/** A passkey belongs to the one public address of the product. */
function requirePasskeyHost(name: string) {
  const { hostname } = location
  if (hostname !== name && !hostname.endsWith(`.${name}`))
    throw new PasskeyError(`Les clés d’accès servent à l’adresse ${name}\u00a0: ouvrez-la pour utiliser la vôtre.`)
}

/** Asks for a passkey, and gives what it signed. */
export async function getPasskeyAssertion() {
  const [{ startAuthentication }, options] = await Promise.all([loadPasskeyLibrary(), call(passkeys.challenge, {})])
  requirePasskeyHost(options.rpId)
  return startAuthentication({ optionsJSON: options }).catch((error: unknown) => {
    throw toPasskeyError(error)
  })
}

type PasskeyCreationOptions = EndpointReply<typeof passkeys.prepare>

export async function createPasskey(options: PasskeyCreationOptions) {
  const { startRegistration } = await loadPasskeyLibrary()
  requirePasskeyHost(options.rp.id)
  return startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    throw toPasskeyError(error)
  })
}
