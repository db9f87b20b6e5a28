import { z } from 'zod'

/** All errors of the product: HTTP status and French message. */
export const ERRORS = {
  malformed: [400, 'La requête n’est pas lisible : le corps doit être un document JSON valide.'],
  unauthenticated: [401, 'Vous devez vous connecter pour continuer.'],
  'session-expired': [401, 'Votre session a expiré. Reconnectez-vous.'],
  'key-revoked': [401, 'Cette clé d’API a été révoquée\u00a0: demandez-en une autre à qui vous l’a donnée.'],
  'key-expired': [401, 'Cette clé d’API n’est plus valable\u00a0: sa date de fin est passée.'],
  credentials: [401, 'Adresse e-mail ou mot de passe incorrect.'],
  'second-factor-required': [401, 'Saisissez le code de votre application d’authentification.'],
  'second-factor': [401, 'Ce code n’est pas valable. Saisissez le code affiché maintenant, ou un code de secours.'],
  passkey: [401, 'Cette clé d’accès n’a pas été reconnue. Recommencez, ou connectez-vous avec votre mot de passe.'],
  sso: [
    401,
    'La connexion d’entreprise a été refusée. Recommencez ; si le refus se répète, votre administrateur en lit la raison dans le journal.',
  ],
  'sso-required': [
    401,
    'Votre organisation demande la connexion d’entreprise pour cette adresse : choisissez « Connexion d’entreprise ».',
  ],
  'read-only': [
    402,
    'L’essai ou l’abonnement de votre organisation est terminé\u00a0: tout reste lisible et exportable, rien n’est effacé. Choisissez une formule pour reprendre.',
  ],
  'points-limit': [
    402,
    'Votre formule ne comprend pas plus de points de mesure\u00a0: passez à la formule suivante, ou faites sortir un point.',
  ],
  forbidden: [403, 'Votre compte n’a pas accès à cette fonction.'],
  'view-only': [
    403,
    'Vous voyez le portail d’un participant\u00a0: la lecture seule ne change rien et ne montre pas ce qui est personnel.',
  ],
  'view-over': [403, 'Cette vue du portail est terminée. Rouvrez-la depuis la liste des participants.'],
  'key-address': [
    403,
    'Cette clé d’API n’est pas acceptée depuis votre adresse\u00a0: ajoutez votre réseau à ceux que la clé permet.',
  ],
  'password-due': [
    403,
    'Votre rôle ouvre le back-office\u00a0: choisissez d’abord un mot de passe d’au moins 15 caractères, ou activez la double authentification.',
  ],
  'second-factor-due': [403, 'Votre organisation demande la double authentification\u00a0: activez-la pour continuer.'],
  'email-unverified': [
    403,
    'Confirmez d’abord votre adresse e-mail\u00a0: ouvrez le lien reçu à votre inscription, ou demandez-en un autre.',
  ],
  'foreign-origin': [403, 'La demande vient d’un autre site : elle est refusée.'],
  'sso-only-here': [
    403,
    'Votre session vient de la connexion d’entreprise d’une organisation, qui n’ouvre qu’elle. Déconnectez-vous, puis reconnectez-vous avec votre mot de passe.',
  ],
  'sso-required-there': [
    403,
    'Cette organisation demande sa connexion d’entreprise pour votre adresse. Déconnectez-vous, puis choisissez «\u00a0Connexion d’entreprise\u00a0».',
  ],
  'second-factor-unproved': [
    403,
    'Cette organisation demande la double authentification, et cette session a été ouverte sans elle. Activez-la si vous ne l’avez pas, déconnectez-vous, puis reconnectez-vous avec votre code ou votre clé d’accès.',
  ],
  'not-found': [404, 'Cet élément n’existe pas ou ne vous est pas accessible.'],
  'sso-unknown': [
    404,
    'Aucune connexion d’entreprise n’est ouverte pour cette adresse. Vérifiez-la, ou connectez-vous avec votre mot de passe.',
  ],
  'method-not-allowed': [405, 'Cette adresse n’accepte pas cette méthode.'],
  conflict: [409, 'Cette demande ne convient plus à l’état de cet élément. Rechargez-le, puis recommencez.'],
  stale: [409, 'Cet élément a été modifié entre-temps. Rechargez-le, puis reprenez votre modification.'],
  'email-taken': [
    409,
    'Cette adresse e-mail ne peut pas servir à créer un compte. Si c’est la vôtre, connectez-vous ou demandez un nouveau mot de passe.',
  ],
  'already-used': [409, 'Ce lien a déjà été utilisé.'],
  'trial-failed': [409, 'L’essai n’a pas réussi\u00a0: rien n’a été enregistré.'],
  'in-progress': [409, 'La même demande est déjà en cours.'],
  'last-admin': [409, 'L’organisation doit garder au moins un administrateur actif.'],
  'invalid-transition': [409, 'Ce changement d’état n’est pas permis.'],
  'balance-gap': [
    409,
    'Des mouvements manquent depuis le relevé précédent\u00a0: rien n’est importé. Importez d’abord le relevé qui manque.',
  ],
  'effects-unseen': [
    409,
    'Ce changement touche des jours déjà répartis\u00a0: regardez d’abord ce qu’il change, puis confirmez-le.',
  ],
  'link-expired': [410, 'Ce lien n’est plus valable. Demandez-en un nouveau.'],
  'too-large': [413, 'L’envoi est trop volumineux.'],
  'file-expected': [415, 'Un fichier est attendu (application/octet-stream).'],
  'media-type': [415, 'Le contenu doit être envoyé en JSON (application/json).'],
  invalid: [422, 'Certaines informations ne sont pas valables.'],
  incomplete: [422, 'Des données manquent pour ce calcul définitif.'],
  'idempotency-mismatch': [422, 'Cette clé d’idempotence a déjà servi pour une autre demande.'],
  'weak-password': [422, 'Ce mot de passe est trop court ou trop courant.'],
  'not-dismissible': [422, 'Cette notification ne peut pas être supprimée : archivez-la.'],
  'compute-memory': [422, 'Ce calcul demande trop de mémoire. Réduisez la période ou le nombre de points.'],
  'key-rate': [429, 'Cette clé d’API appelle plus souvent qu’il n’est permis. Patientez avant de recommencer.'],
  'key-quota': [429, 'Cette clé d’API a atteint le nombre d’appels permis ce mois-ci.'],
  'company-rate': [429, 'Les clés de votre organisation appellent plus souvent qu’il n’est permis. Patientez.'],
  'company-quota': [429, 'Les clés de votre organisation ont atteint le nombre d’appels permis ce mois-ci.'],
  busy: [429, 'Trop de demandes de votre organisation sont déjà en cours. Patientez avant de recommencer.'],
  'compute-busy': [429, 'Trop de calculs de votre organisation attendent déjà. Patientez avant de recommencer.'],
  throttled: [429, 'Trop de tentatives. Patientez avant de recommencer.'],
  damaged: [
    500,
    'La base de données du service est abîmée\u00a0: cette demande n’a pas abouti, et rien n’a été modifié. L’exploitant doit restaurer une copie.',
  ],
  internal: [500, 'Une erreur inattendue est survenue. Elle a été enregistrée ; réessayez dans un instant.'],
  'compute-time': [503, 'Ce calcul a pris trop de temps. Réduisez la période ou le nombre de points.'],
  timeout: [503, 'La demande a pris trop de temps\u00a0: elle a été interrompue, et rien n’a été modifié.'],
  'disk-full': [
    507,
    'Il n’y a plus de place sur le disque du service\u00a0: rien n’a été enregistré. L’exploitant doit en libérer\u00a0; réessayez ensuite.',
  ],
  unavailable: [503, 'Le service est momentanément indisponible. Réessayez dans un instant.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof ERRORS

export const Issue = z.object({ path: z.string(), message: z.string() })
export type Issue = z.infer<typeof Issue>

/** RFC 9457, with the message twice: `detail` is the standard field, `message` the one read by the sign-in form. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  message: z.string(),
  requestId: z.string(),
  issues: z.array(Issue).optional(),
})
export type Problem = z.infer<typeof Problem>
