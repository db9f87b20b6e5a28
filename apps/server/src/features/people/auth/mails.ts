import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { brandUrl, mailBrandOfPerson, mailLayout, sendMail } from '../mail/mail.ts'

type Post = Pick<Deps, 'secrets' | 'config'>

const footer = ({ config }: Pick<Post, 'config'>) => `Voisol — une question ? Écrivez à ${config.SUPPORT_EMAIL}.`

type Words = { title: string; paragraphs: string[]; action?: { label: string; path: string } }

/** In the look of the company whose account it is, where it is of one alone. */
async function compose(tx: Db, post: Pick<Post, 'config'>, to: string, { title, paragraphs, action }: Words) {
  const brand = await mailBrandOfPerson(tx, post.config, to)
  const content = mailLayout({
    title,
    paragraphs,
    ...(action && { action: { label: action.label, url: brandUrl(post.config, brand, action.path) } }),
    footer: footer(post),
    brand,
  })
  return { subject: title, ...content }
}

const write = async (tx: Db, post: Post, to: string, words: Words) =>
  sendMail(tx, post.secrets, { to, ...(await compose(tx, post, to, words)) })

const resetWords = (token: string): Words => ({
  title: 'Choisir un nouveau mot de passe',
  paragraphs: [
    'Un nouveau mot de passe a été demandé pour votre compte.',
    'Ce lien est valable une heure et ne sert qu’une fois. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste le même.',
  ],
  action: { label: 'Choisir un mot de passe', path: `/login?reset=${token}` },
})
export const mailResetLink = (tx: Db, post: Post, to: string, token: string) => write(tx, post, to, resetWords(token))

const verificationWords = (token: string): Words => ({
  title: 'Confirmez votre adresse e-mail',
  paragraphs: [
    'Un compte Voisol vient d’être créé avec cette adresse. Confirmez que c’est bien la vôtre pour inviter d’autres personnes et protéger votre compte.',
    'Ce lien est valable trois jours. Si vous n’avez rien demandé, ignorez ce message.',
  ],
  action: { label: 'Confirmer mon adresse', path: `/login?verify=${token}` },
})
export const mailVerification = (tx: Db, post: Post, to: string, token: string) =>
  write(tx, post, to, verificationWords(token))

export const mailNotYetActive = (tx: Db, post: Post, to: string) =>
  write(tx, post, to, {
    title: 'Votre compte n’est pas encore activé',
    paragraphs: [
      'Un nouveau mot de passe a été demandé, mais vous n’en avez pas encore choisi.',
      'Ouvrez le lien reçu dans votre invitation, ou demandez-en une nouvelle à votre administrateur.',
    ],
  })

export const mailProviderInstead = (tx: Db, post: Post, to: string) =>
  write(tx, post, to, {
    title: 'Votre compte s’ouvre par la connexion d’entreprise',
    paragraphs: [
      'Un nouveau mot de passe a été demandé, mais votre compte n’en a pas besoin : votre organisation vous fait entrer par son fournisseur d’identité.',
      'Sur la page de connexion, choisissez « Connexion d’entreprise ». Si elle ne vous ouvre pas, écrivez à l’administrateur de votre organisation.',
    ],
    action: { label: 'Se connecter', path: '/login' },
  })

export const mailRegistrationTried = (tx: Db, post: Post, to: string) =>
  write(tx, post, to, {
    title: 'Une inscription a été tentée avec votre adresse',
    paragraphs: [
      'Quelqu’un a voulu créer un compte avec votre adresse e-mail, qui en a déjà un. Rien n’a été créé ni changé.',
      'Si c’est vous, connectez-vous, ou demandez un nouveau mot de passe si vous l’avez oublié. Sinon, ignorez ce message.',
    ],
    action: { label: 'Se connecter', path: '/login' },
  })

/** A message about an account as its reader gets it; the link of this one opens nothing. */
export const accountMail = (db: Db, config: Post['config'], to: string, kind: 'reset' | 'verification') =>
  compose(db, { config }, to, kind === 'reset' ? resetWords('apercu') : verificationWords('apercu'))
