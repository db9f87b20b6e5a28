import { of } from '@voisol/contract/elision'
import { keyOf } from '../../../core/link-key.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay } from '../../../french.ts'
import { brandUrl, greeting, mailBrandOf, mailLayout, sendMail } from '../../people/mail/mail.ts'
import { addressOf, pathOf } from './address.ts'
import type { ApplicationRow } from './life-cycle.ts'

type Post = Pick<Deps, 'secrets' | 'config'>
/** What a link of an application is signed for: another company's opens nothing here. */
export const linkUse = (companyId: number) => `joining ${companyId}`

export type Words = { subject: string; paragraphs: string[]; action?: { label: string; path: string } }
type Letter = Words & { firstName: string }

/** In the company's look, with its own host in every link. */
export async function composeLetter(db: Db, { config }: Pick<Post, 'config'>, companyId: number, letter: Letter) {
  const { firstName, subject, paragraphs, action } = letter
  const brand = await mailBrandOf(db, config, companyId)
  const content = mailLayout({
    title: subject,
    paragraphs: [greeting(firstName), ...paragraphs],
    action: action && { label: action.label, url: brandUrl(config, brand, action.path) },
    footer: brand?.contact ? `Une question\u00a0? ${brand.contact}` : `Une question\u00a0? ${config.SUPPORT_EMAIL}`,
    by: brand?.name,
    brand,
  })
  return { subject, ...content }
}

type Options = { sender?: 'installation' }

const write = async (
  tx: Db,
  post: Post,
  companyId: number,
  { to, ...letter }: Letter & { to: string },
  options: Options = {},
) =>
  sendMail(tx, post.secrets, { to, ...(await composeLetter(tx, post, companyId, letter)) }, { companyId, ...options })

const toAsker = (
  tx: Db,
  post: Post,
  { companyId, email, firstName }: ApplicationRow,
  words: Words,
  options?: Options,
) => write(tx, post, companyId, { to: email, firstName, ...words }, options)

/** The link of an application confirms an address and signs: nobody but whoever reads that mailbox may see it. */
const WITH_LINK = { sender: 'installation' } as const

const ownPath = ({ secrets }: Post, { companyId, id }: ApplicationRow, slug: string) =>
  `/rejoindre?operation=${addressOf(companyId, slug)}&cle=${keyOf(secrets, linkUse(companyId), id)}`

export const linkWords = (name: string, path: string): Words => ({
  subject: `Votre demande pour rejoindre ${name}`,
  paragraphs: [
    'Ouvrez ce lien pour confirmer votre adresse, lire l’accord de participation et le signer.',
    'Si vous n’avez rien demandé, ignorez ce message\u00a0: une demande qui n’est pas signée est effacée après trente jours.',
  ],
  action: { label: 'Continuer ma demande', path },
})

export const signedWords = (name: string, path: string): Words => ({
  subject: `Votre demande pour rejoindre ${name} est signée`,
  paragraphs: [
    'L’organisateur l’étudie et vous répond par e-mail. Le même lien permet de la suivre, de la retirer, et de télécharger l’accord signé.',
  ],
  action: { label: 'Suivre ma demande', path },
})

type Page = { name: string; slug: string }

/** Only whoever reads that mailbox goes on. */
export const mailLink = (tx: Db, post: Post, row: ApplicationRow, { name, slug }: Page) =>
  toAsker(tx, post, row, linkWords(name, ownPath(post, row, slug)), WITH_LINK)

export const mailSigned = (tx: Db, post: Post, row: ApplicationRow, { name, slug }: Page) =>
  toAsker(tx, post, row, signedWords(name, ownPath(post, row, slug)), WITH_LINK)

type Decided = { name: string; on?: string; reason?: string }

export const decidedWords = ({ kind }: Pick<ApplicationRow, 'kind'>, { name, on, reason }: Decided): Words => {
  const leaving = kind !== 'join'
  if (reason !== undefined)
    return {
      subject: leaving ? `Votre départ ${of(name)} n’est pas accepté` : `Votre demande pour rejoindre ${name}`,
      paragraphs: [
        leaving
          ? 'L’organisateur n’a pas accepté votre demande de départ. Il vous en dit la raison\u00a0:'
          : 'L’organisateur n’a pas accepté votre demande. Il vous en dit la raison\u00a0:',
        reason,
      ],
    }
  const day = frenchDay(on ?? '')
  return leaving
    ? {
        subject: `Votre départ ${of(name)} le ${day}`,
        paragraphs: [
          `Votre demande est acceptée\u00a0: votre participation s’arrête le ${day}. Jusqu’à la veille, rien ne change.`,
          'Une dernière facture suivra. Votre espace et vos factures restent lisibles.',
        ],
        action: { label: 'Ouvrir mon espace', path: '/client-portal' },
      }
    : {
        subject: `Bienvenue dans ${name}`,
        paragraphs: [
          `Votre demande est acceptée\u00a0: vous recevrez de l’énergie partagée à partir du ${day}, le temps que le gestionnaire de réseau soit prévenu.`,
          'Une invitation à ouvrir votre espace vous est envoyée à part. Vous y verrez votre énergie, vos factures et vos accords.',
        ],
      }
}

export const mailDecided = (tx: Db, post: Post, row: ApplicationRow, decided: Decided) =>
  toAsker(tx, post, row, decidedWords(row, decided))

/** Whoever follows at that address, once the organiser has let the other go. */
export const mailSuccessor = (tx: Db, post: Post, row: ApplicationRow, { name, slug }: Page) =>
  write(tx, post, row.companyId, {
    to: row.successorEmail,
    firstName: '',
    ...successorWords(name, pathOf(row.companyId, slug)),
  })

export const successorWords = (name: string, path: string): Words => ({
  subject: `L’énergie partagée ${of(name)}`,
  paragraphs: [
    'Le logement où vous arrivez prenait part à une opération d’énergie solaire partagée. Vous pouvez y entrer à votre tour\u00a0: la page dit comment, à quel prix, et ce que vous y gagneriez.',
    'Votre adresse nous a été donnée par la personne qui déménage. Elle ne sert qu’à ce message.',
  ],
  action: { label: 'Voir l’opération', path },
})
