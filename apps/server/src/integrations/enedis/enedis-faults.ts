/** The kind of failure decides what is done about it. */
type FaultNature = 'quota' | 'auth' | 'consent' | 'no-data' | 'request' | 'transient' | 'answer'
export type DistributorFault = {
  code: string
  status: number | null
  message: string
  explanation: string
  remedy: string
  nature: FaultNature
}
type KnownFault = Omit<DistributorFault, 'status' | 'message'> & { message?: string }

const defineFault = (code: string, nature: FaultNature, explanation: string, remedy: string): KnownFault => ({
  code,
  nature,
  explanation,
  remedy,
})

const RENEW_CONSENT = 'Demandez au participant de renouveler son accord, puis relancez la synchronisation du point.'
const RETRIED_LATER = 'Rien à faire\u00a0: l’appel est répété plus tard, de plus en plus espacé.'

/** The distributor's error codes, each with its meaning and what to do. */
export const KNOWN_FAULTS: KnownFault[] = [
  defineFault(
    'ADAM-ERR0069',
    'request',
    'Le sens demandé ne correspond pas au point\u00a0: consommation demandée sur un point de production, ou l’inverse.',
    'Corrigez le sens du point dans sa fiche.',
  ),
  defineFault(
    'ADAM-ERR0123',
    'request',
    'La période commence avant la dernière mise en service du compteur.',
    'Demandez une période plus récente\u00a0; le point garde la date de sa mise en service.',
  ),
  defineFault(
    'ADAM-ERR0125',
    'request',
    'La période est plus ancienne que l’historique gardé par le distributeur (24 mois et 15 jours).',
    'Demandez une période plus récente, ou importez un fichier d’historique.',
  ),
  defineFault(
    'ADAM-DC-0016',
    'request',
    'La période est plus ancienne que l’historique gardé par le distributeur.',
    'Demandez une période plus récente, ou importez un fichier d’historique.',
  ),
  defineFault(
    'ADAM-ERR0126',
    'request',
    'Une courbe de charge se demande par périodes de sept jours au plus.',
    'Aucune action\u00a0: la demande est découpée.',
  ),
  defineFault(
    'ADAM-DC-0015',
    'request',
    'Une courbe de charge se demande par périodes de sept jours au plus.',
    'Aucune action\u00a0: la demande est découpée.',
  ),
  defineFault(
    'ADAM-ERR0061',
    'consent',
    'Le titulaire du contrat a changé.',
    'Enregistrez le changement de titulaire du point et recueillez l’accord du nouveau.',
  ),
  defineFault(
    'ADAM-ERR0075',
    'consent',
    'Le client s’est opposé à l’enregistrement de sa courbe de charge.',
    'Demandez au participant de lever son opposition dans son espace client du distributeur.',
  ),
  defineFault(
    'ADAM-DC-0007',
    'consent',
    'La personne n’est pas titulaire de ce point pour le distributeur.',
    'Vérifiez un déménagement\u00a0; s’il n’y en a pas, réessayez\u00a0: le distributeur a déjà répondu ainsi par erreur.',
  ),
  defineFault('ADAM-DC-0008', 'consent', 'Le distributeur ne trouve pas d’accord pour ce point.', RENEW_CONSENT),
  defineFault(
    'ADAM-DC-0009',
    'request',
    'La période commence avant l’accord du client.',
    'Demandez une période qui commence à la date de l’accord.',
  ),
  defineFault(
    'ADAM_ADAM-ERR0191',
    'consent',
    'Aucun service d’accès aux données n’est souscrit pour cette période.',
    RENEW_CONSENT,
  ),
  defineFault('unauthorized_user', 'consent', 'Ce compte n’a pas accès à cette donnée.', RENEW_CONSENT),
  defineFault('SGT403', 'consent', 'Le client n’est pas autorisé pour ce point.', RENEW_CONSENT),
  defineFault(
    'no_data_found',
    'no-data',
    'Le distributeur n’a pas de mesure pour ce point et cette période.',
    'Vérifiez que la courbe est activée\u00a0; sinon les données arriveront plus tard et seront redemandées.',
  ),
  defineFault(
    'STM-ERR-0000020',
    'no-data',
    'Le distributeur n’a pas de mesure pour ce point et cette période.',
    'Vérifiez que la courbe est activée\u00a0; sinon les données arriveront plus tard et seront redemandées.',
  ),
  defineFault(
    'STM-ERR-0000014',
    'no-data',
    'Le compteur ne communique pas, ou sa courbe n’est pas activée.',
    'Vérifiez l’état du compteur auprès du distributeur.',
  ),
  defineFault(
    'SGT404',
    'no-data',
    'Pas de mesure trouvée pour ce point.',
    'Les données seront redemandées\u00a0; si rien n’arrive, vérifiez que la courbe est activée.',
  ),
  defineFault(
    'STM-ERR-0000019',
    'auth',
    'Le distributeur ne reconnaît pas ce compte.',
    'Vérifiez les identifiants enregistrés.',
  ),
  defineFault(
    'Invalid_request',
    'request',
    'La demande n’est pas bien formée pour le distributeur.',
    'Signalez-la au support avec sa référence\u00a0: une demande faite par Voisol devrait toujours l’être.',
  ),
  defineFault(
    'SGT400',
    'request',
    'La demande n’est pas bien formée pour le distributeur.',
    'Signalez-la au support avec sa référence.',
  ),
  defineFault(
    'Quota Q3 reached',
    'quota',
    'Plus de cinq appels par seconde.',
    'Rien à faire\u00a0: les appels reprennent à l’heure donnée.',
  ),
  defineFault(
    'Quota Q4 reached',
    'quota',
    'Plus de 10 000 appels dans l’heure.',
    'Rien à faire\u00a0: les appels reprennent à l’heure donnée.',
  ),
  defineFault(
    '900804',
    'quota',
    'Le distributeur limite les appels.',
    'Rien à faire\u00a0: les appels reprennent à l’heure donnée.',
  ),
  defineFault(
    'SGT429',
    'quota',
    'Le distributeur limite les appels.',
    'Rien à faire\u00a0: les appels reprennent à l’heure donnée.',
  ),
  defineFault(
    '900901',
    'auth',
    'Le jeton d’accès n’est plus valable.',
    'Un nouveau jeton est demandé une fois\u00a0; si cela se répète, vérifiez les identifiants.',
  ),
  defineFault(
    'invalid_client',
    'auth',
    'Le distributeur refuse ces identifiants.',
    'Saisissez à nouveau l’identifiant et le secret de l’application.',
  ),
  defineFault('technical_error', 'transient', 'Le distributeur a une panne passagère.', RETRIED_LATER),
  defineFault('ADAM-DC-0500', 'transient', 'Le distributeur a une panne passagère.', RETRIED_LATER),
  defineFault('STM-ERR-0000001', 'transient', 'Le distributeur a une panne passagère.', RETRIED_LATER),
  defineFault(
    'refused',
    'transient',
    'L’accès est refusé sans l’un des codes du distributeur\u00a0: par lui-même ou par un serveur sur le chemin. Ce n’est pas un accord perdu.',
    'Rien à faire\u00a0: l’appel est essayé de loin en loin et reprend de lui-même. Si cela dure un jour, vérifiez le serveur mandataire et l’état des services du distributeur.',
  ),
  defineFault(
    'mass-refusal',
    'transient',
    'Le distributeur refuse beaucoup de points à la fois\u00a0: c’est une panne de son côté, pas autant d’accords perdus.',
    'Rien à faire\u00a0: aucun point n’est arrêté, un appel essaie de loin en loin et tous reprennent d’eux-mêmes. Après un jour, les refus sont tenus pour vrais.',
  ),
  defineFault('timeout', 'transient', 'Le distributeur n’a pas répondu à temps.', RETRIED_LATER),
  defineFault('network', 'transient', 'Le distributeur n’est pas joignable.', RETRIED_LATER),
  defineFault(
    'mixed-steps',
    'no-data',
    'La réponse mêle plusieurs pas de temps dans une même journée.',
    'Rien à faire\u00a0: les valeurs sont gardées telles qu’elles sont, et la journée est redemandée chaque jour.',
  ),
  defineFault(
    'mismatch',
    'answer',
    'La réponse du distributeur ne correspond pas à ce qui a été demandé.',
    'Elle est mise de côté telle quelle et rien n’en est enregistré\u00a0; l’appel est répété. Si cela dure, signalez-la au distributeur avec sa référence.',
  ),
  defineFault(
    'unreadable',
    'answer',
    'La réponse du distributeur n’est pas lisible\u00a0: coupée, trop grande ou d’une autre forme.',
    'Elle est gardée et l’appel répété\u00a0; si cela dure, signalez-la au support.',
  ),
]

const FAULTS_BY_STATUS: [(status: number) => boolean, FaultNature, string][] = [
  [(status) => status === 401, 'auth', '900901'],
  [(status) => status === 403, 'transient', 'refused'],
  [(status) => status === 429, 'quota', '900804'],
  [(status) => status >= 500, 'transient', 'technical_error'],
  [(status) => status >= 400, 'request', 'Invalid_request'],
]

const byCode = new Map(KNOWN_FAULTS.map((known) => [known.code.toLowerCase(), known]))

/** A known code, or else the meaning of the HTTP status; the distributor's message is kept. */
export function buildDistributorFault(code: string, status: number | null, message: string): DistributorFault {
  const known = byCode.get(code.toLowerCase())
  if (known) return { ...known, status, message: message || known.explanation }
  const [, nature = 'answer', like = 'unreadable'] =
    FAULTS_BY_STATUS.find(([is]) => status !== null && is(status)) ?? []
  const near = byCode.get(like.toLowerCase())
  return {
    code: code || (status === null ? 'unreadable' : status === 403 ? 'refused' : String(status)),
    status,
    message,
    nature,
    explanation: near?.explanation ?? '',
    remedy: near?.remedy ?? '',
  }
}

/**
 * Whether the distributor as a whole is failing: an answer that merely does not match its request is no sign of that.
 */
export const isDistributorFailure = ({ nature, code }: Pick<DistributorFault, 'nature' | 'code'>) =>
  nature === 'transient' || (nature === 'answer' && code !== 'mismatch')

export class EnedisError extends Error {
  readonly fault: DistributorFault
  /** No call is to be made before. */
  readonly retryAt: Date | undefined
  readonly requestId: string
  constructor(fault: DistributorFault, more: { retryAt?: Date | undefined; requestId?: string; cause?: unknown } = {}) {
    super(`${fault.code}: ${fault.message}`, { cause: more.cause })
    this.fault = fault
    this.retryAt = more.retryAt
    this.requestId = more.requestId ?? ''
  }
}
