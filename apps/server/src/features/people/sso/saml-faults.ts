import { quoteValue, SsoRefusal, throwSsoRefusal } from './faults.ts'

const CLOCK_ADVICE = 'Si l’heure est juste chez le fournisseur, réglez celle de ce serveur (NTP).'

/** What the library says, as a sentence that says what was wrong. */
const SAML_ERROR_SENTENCES: [RegExp, string, string][] = [
  [
    /multiple assertions/i,
    'several',
    'La réponse contient plusieurs assertions\u00a0: une signature pourrait n’en couvrir qu’une.',
  ],
  [/Too many signatures/i, 'wrapped', 'Un élément porte plusieurs signatures\u00a0: la réponse a été recomposée.'],
  [
    /does not refer to it's parent|more than one element|only 1 signed/i,
    'wrapped',
    'La signature couvre un autre élément que celui qui la porte\u00a0: la réponse a été recomposée.',
  ],
  [
    /too many transforms/i,
    'transforms',
    'La signature demande des transformations inhabituelles\u00a0: elle n’est pas acceptée.',
  ],
  [
    /Invalid document signature/i,
    'response-signature',
    'La réponse n’est pas signée par le fournisseur, alors que cette connexion le demande.',
  ],
  [
    /Invalid signature|Cannot obtain assertion/i,
    'signature',
    'L’assertion n’est pas signée, ou sa signature n’est pas celle d’un certificat de la connexion.',
  ],
  [/Missing SAML assertion/i, 'no-assertion', 'La réponse ne contient pas d’assertion à l’endroit attendu.'],
  [
    /No decryption key/i,
    'encrypted',
    'L’assertion est chiffrée\u00a0: demandez au fournisseur de la signer sans la chiffrer.',
  ],
  [/not yet valid/i, 'not-yet', `L’assertion n’est pas encore valable\u00a0: les horloges diffèrent. ${CLOCK_ADVICE}`],
  [/expired|No valid subject confirmation/i, 'expired', `L’assertion a expiré. ${CLOCK_ADVICE}`],
  [
    /audience/i,
    'audience',
    'L’assertion est destinée à un autre service (Audience)\u00a0: vérifiez l’identifiant d’entité chez le fournisseur.',
  ],
  [
    /Unknown SAML issuer|Missing SAML issuer/i,
    'issuer',
    'La réponse vient d’un autre émetteur que celui de la connexion (Issuer).',
  ],
  [/InResponseTo/i, 'in-response-to', 'La réponse ne répond pas à la demande faite ici (InResponseTo).'],
]

export function throwSamlRefusal(error: unknown): never {
  if (error instanceof SsoRefusal) throw error
  const message = error instanceof Error ? error.message : String(error)
  const status = /SAML provider returned (\w+) error: (.*)/.exec(message)
  if (status)
    throwSsoRefusal(
      'provider',
      `Le fournisseur a refusé la connexion\u00a0: ${quoteValue(`${status[1]} ${status[2]}`)}.`,
    )
  const known = SAML_ERROR_SENTENCES.find(([pattern]) => pattern.test(message))
  if (known) throwSsoRefusal(known[1], known[2])
  return throwSsoRefusal(
    'unreadable',
    'La réponse SAML n’est pas lisible, ou sa structure n’est pas celle d’une réponse.',
  )
}
