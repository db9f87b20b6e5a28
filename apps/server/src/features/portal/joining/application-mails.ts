import { withDe } from '@voisol/contract/elision'
import { addDays } from '@voisol/energy/calendar'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, desc, eq } from 'drizzle-orm'
import { createLinkKey } from '../../../core/public-links.ts'
import type { Db } from '../../../db/client.ts'
import { joinPages, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { buildBrandUrl, formatGreeting, loadMailBrand, renderMail, sendMail } from '../../identity/mail/index.ts'
import type { ApplicationRow } from './application-state.ts'
import { buildJoinAddress, buildJoinPath, toOperationSlug } from './join-settings.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>
/** The signing purpose of application links, which includes the company: a link of another company is invalid. */
export const getJoinLinkPurpose = (companyId: number) => `joining ${companyId}`

type JoinMailText = { subject: string; paragraphs: string[]; action?: { label: string; path: string } }
type JoinMail = JoinMailText & { firstName: string }

/** With the branding of the company and its own host in every link. */
async function composeJoinMail(db: Db, { config }: Pick<MailDeps, 'config'>, companyId: number, letter: JoinMail) {
  const { firstName, subject, paragraphs, action } = letter
  const brand = await loadMailBrand(db, config, companyId)
  const content = renderMail({
    title: subject,
    paragraphs: [formatGreeting(firstName), ...paragraphs],
    action: action && { label: action.label, url: buildBrandUrl(config, brand, action.path) },
    footer: brand?.contact ? `Une question\u00a0? ${brand.contact}` : `Une question\u00a0? ${config.SUPPORT_EMAIL}`,
    by: brand?.name,
    brand,
  })
  return { subject, ...content }
}

type SendJoinMailOptions = { sender?: 'installation' }

const sendJoinMail = async (
  tx: Db,
  post: MailDeps,
  companyId: number,
  { to, ...letter }: JoinMail & { to: string },
  options: SendJoinMailOptions = {},
) =>
  sendMail(tx, post.secrets, { to, ...(await composeJoinMail(tx, post, companyId, letter)) }, { companyId, ...options })

const sendToApplicant = (
  tx: Db,
  post: MailDeps,
  { companyId, email, firstName }: ApplicationRow,
  words: JoinMailText,
  options?: SendJoinMailOptions,
) => sendJoinMail(tx, post, companyId, { to: email, firstName, ...words }, options)

/**
 * An application link confirms an address and signs: only the reader of that mailbox may see it, so that it never
 * passes through the company's mail server.
 */
const FROM_INSTALLATION = { sender: 'installation' } as const

const buildOwnPath = ({ secrets }: MailDeps, { companyId, id }: ApplicationRow, slug: string) =>
  `/rejoindre?operation=${buildJoinAddress(companyId, slug)}&cle=${createLinkKey(secrets, getJoinLinkPurpose(companyId), id)}`

const buildJoinLinkMail = (name: string, path: string): JoinMailText => ({
  subject: `Votre demande pour rejoindre ${name}`,
  paragraphs: [
    'Ouvrez ce lien pour confirmer votre adresse, lire l’accord de participation et le signer.',
    'Si vous n’avez rien demandé, ignorez ce message\u00a0: une demande qui n’est pas signée est effacée après trente jours.',
  ],
  action: { label: 'Continuer ma demande', path },
})

const buildJoinSignedMail = (name: string, path: string): JoinMailText => ({
  subject: `Votre demande pour rejoindre ${name} est signée`,
  paragraphs: [
    'L’organisateur l’étudie et vous répond par e-mail. Le même lien permet de la suivre, de la retirer, et de télécharger l’accord signé.',
  ],
  action: { label: 'Suivre ma demande', path },
})

type JoinPageRef = { name: string; slug: string }

/** Only the reader of that mailbox can continue. */
export const sendJoinLinkMail = (tx: Db, post: MailDeps, row: ApplicationRow, { name, slug }: JoinPageRef) =>
  sendToApplicant(tx, post, row, buildJoinLinkMail(name, buildOwnPath(post, row, slug)), FROM_INSTALLATION)

export const sendJoinSignedMail = (tx: Db, post: MailDeps, row: ApplicationRow, { name, slug }: JoinPageRef) =>
  sendToApplicant(tx, post, row, buildJoinSignedMail(name, buildOwnPath(post, row, slug)), FROM_INSTALLATION)

type DecisionMailInput = { name: string; on?: string; reason?: string }

const buildDecisionMail = (
  { kind }: Pick<ApplicationRow, 'kind'>,
  { name, on, reason }: DecisionMailInput,
): JoinMailText => {
  const leaving = kind !== 'join'
  if (reason !== undefined)
    return {
      subject: leaving ? `Votre départ ${withDe(name)} n’est pas accepté` : `Votre demande pour rejoindre ${name}`,
      paragraphs: [
        leaving
          ? 'L’organisateur n’a pas accepté votre demande de départ. Il vous en dit la raison\u00a0:'
          : 'L’organisateur n’a pas accepté votre demande. Il vous en dit la raison\u00a0:',
        reason,
      ],
    }
  const day = formatFrenchDay(on ?? '')
  return leaving
    ? {
        subject: `Votre départ ${withDe(name)} le ${day}`,
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

export const sendDecisionMail = (tx: Db, post: MailDeps, row: ApplicationRow, decided: DecisionMailInput) =>
  sendToApplicant(tx, post, row, buildDecisionMail(row, decided))

/** Sent to the next occupant of the address, once the organiser has accepted the departure. */
export const sendSuccessorMail = (tx: Db, post: MailDeps, row: ApplicationRow, { name, slug }: JoinPageRef) =>
  sendJoinMail(tx, post, row.companyId, {
    to: row.successorEmail,
    firstName: '',
    ...buildSuccessorMail(name, buildJoinPath(row.companyId, slug)),
  })

const buildSuccessorMail = (name: string, path: string): JoinMailText => ({
  subject: `L’énergie partagée ${withDe(name)}`,
  paragraphs: [
    'Le logement où vous arrivez prenait part à une opération d’énergie solaire partagée. Vous pouvez y entrer à votre tour\u00a0: la page dit comment, à quel prix, et ce que vous y gagneriez.',
    'Votre adresse nous a été donnée par la personne qui déménage. Elle ne sert qu’à ce message.',
  ],
  action: { label: 'Voir l’opération', path },
})

export type JoinMailKind =
  | 'joining-link'
  | 'joining-signed'
  | 'joining-accepted'
  | 'joining-refused'
  | 'departure-accepted'
  | 'departure-refused'
  | 'successor'

/** The operation with an open page, or else the newest one. */
async function findSamplePage(db: Db, companyId: number) {
  const [row] = await db
    .select({ name: operations.name, slug: joinPages.slug })
    .from(operations)
    .leftJoin(
      joinPages,
      and(
        eq(joinPages.companyId, operations.companyId),
        eq(joinPages.operationId, operations.id),
        eq(joinPages.isOpen, true),
      ),
    )
    .where(eq(operations.companyId, companyId))
    .orderBy(joinPages.slug, desc(operations.createdAt))
    .limit(1)
  return row && { name: row.name, slug: row.slug ?? toOperationSlug(row.name) }
}

const SAMPLE_REASON = 'Ici, la raison que vous écrivez en refusant.'
const SAMPLE_DAYS = 30

const buildSampleText = (kind: JoinMailKind, name: string, path: string): JoinMailText => {
  const on = addDays(getToday(), SAMPLE_DAYS)
  switch (kind) {
    case 'joining-link':
      return buildJoinLinkMail(name, path)
    case 'joining-signed':
      return buildJoinSignedMail(name, path)
    case 'joining-accepted':
      return buildDecisionMail({ kind: 'join' }, { name, on })
    case 'joining-refused':
      return buildDecisionMail({ kind: 'join' }, { name, reason: SAMPLE_REASON })
    case 'departure-accepted':
      return buildDecisionMail({ kind: 'leave' }, { name, on })
    case 'departure-refused':
      return buildDecisionMail({ kind: 'leave' }, { name, reason: SAMPLE_REASON })
    case 'successor':
      return buildSuccessorMail(name, path)
  }
}

/** A sample mail with the name of the user; its link leads to the page, and to nobody's application. */
export async function buildJoinMailSample(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { companyId, firstName }: Actor,
  kind: JoinMailKind,
) {
  const page = await findSamplePage(db, companyId)
  if (!page) return undefined
  const words = buildSampleText(kind, page.name, buildJoinPath(companyId, page.slug))
  return composeJoinMail(db, { config }, companyId, { ...words, firstName: kind === 'successor' ? '' : firstName })
}
