import { and, asc, desc, eq, isNotNull, like, ne } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import {
  cannedReplies,
  companies,
  invoices,
  memberships,
  operations,
  participants,
  participations,
  tickets,
  users,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { type SeedTicket, seedTicket } from '../../portal/support/index.ts'

const PARIS = 'Europe/Paris'

/**
 * A quarter past ten on that day, or on the Friday before a weekend, or an hour ago when that would be in the future.
 */
function chooseAskedAt(today: string, daysAgo: number): Date {
  const wanted = Temporal.PlainDate.from(today).subtract({ days: daysAgo })
  const day = wanted.subtract({ days: Math.max(0, wanted.dayOfWeek - 5) })
  const at = day.toZonedDateTime({ timeZone: PARIS, plainTime: '10:15' }).epochMilliseconds
  return new Date(Math.min(at, Date.now() - 3_600_000))
}

/** The published demo account asks most questions, a few others ask some. */
const MAX_ASKERS = 4
/** Users who can open the portal of a participant, the published demo account first. */
const listAskers = (tx: Db, companyId: number) =>
  tx
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, participantId: participants.id })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .where(eq(participants.companyId, companyId))
    .orderBy(desc(like(users.email, 'client@%')), asc(users.email))
    .limit(MAX_ASKERS)
type TicketAuthor = Awaited<ReturnType<typeof listAskers>>[number]

async function findTicketSubject(
  tx: Db,
  companyId: number,
  { participantId }: TicketAuthor,
  kind: TicketStory['about'],
) {
  if (kind === 'invoice') {
    const [row] = await tx
      .select({ id: invoices.id, number: invoices.number })
      .from(invoices)
      .where(and(eq(invoices.companyId, companyId), eq(invoices.buyerId, participantId)))
      .orderBy(desc(invoices.issuedOn))
      .limit(1)
    return row && { aboutKind: kind, aboutId: row.id, aboutLabel: `Facture ${row.number}` }
  }
  if (kind !== 'operation') return undefined
  const [row] = await tx
    .select({ id: operations.id, name: operations.name })
    .from(participations)
    .innerJoin(
      operations,
      and(eq(operations.companyId, participations.companyId), eq(operations.id, participations.operationId)),
    )
    .where(and(eq(participations.companyId, companyId), eq(participations.participantId, participantId)))
    .limit(1)
  return row && { aboutKind: kind, aboutId: row.id, aboutLabel: row.name }
}

async function fillParticipantTickets(tx: Db, actor: Actor, today: string) {
  const { companyId } = actor
  const people = await listAskers(tx, companyId)
  const agent = { id: actor.userId, name: formatActorName(actor), companyId }
  for (const [at, { daysAgo, about: kind, ...tale }] of PARTICIPANT_TICKETS.entries()) {
    const person = people[at % Math.max(1, people.length)]
    if (!person) return
    const asker = { id: person.id, name: `${person.firstName} ${person.lastName}` }
    const about = await findTicketSubject(tx, companyId, person, kind)
    await seedTicket(
      tx,
      { companyId, asker, agent },
      { ...tale, askedAt: chooseAskedAt(today, daysAgo), ...(about && { about }) },
    )
  }
}

/** The second company of the demo asks its questions to the first, which operates the installation. */
async function findOtherOrganiser(tx: Db, companyId: number) {
  const [row] = await tx
    .select({ companyId: companies.id, id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(companies)
    .innerJoin(memberships, and(eq(memberships.companyId, companies.id), eq(memberships.role, 'admin')))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(companies.isDemo, true), ne(companies.id, companyId), isNotNull(memberships.acceptedAt)))
    .orderBy(asc(companies.id))
    .limit(1)
  return row
}

const isFilled = async (tx: Db, companyId: number) =>
  (await tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.companyId, companyId)).limit(1)).length > 0

/** Creates a dozen tickets for participants and organisers, some answered, some not. */
export async function fillSupport(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if (await isFilled(tx, companyId)) return
    await fillParticipantTickets(tx, actor, today)
    const replies = DEMO_CANNED_REPLIES.map((reply) => ({ companyId, desk: 'organiser' as const, ...reply }))
    // The canned replies exist already when a company has no tickets yet.
    await tx.insert(cannedReplies).values(replies).onConflictDoNothing()
  })
  const other = await findOtherOrganiser(deps.db, companyId)
  if (!other) return
  await transaction(scopeToCompany(deps.db, other.companyId), async (tx) => {
    if (await isFilled(tx, other.companyId)) return
    const asker = { id: other.id, name: `${other.firstName} ${other.lastName}` }
    const agent = { id: actor.userId, name: formatActorName(actor), companyId }
    for (const { daysAgo, about: _, ...tale } of ORGANISER_TICKETS)
      await seedTicket(
        tx,
        { companyId: other.companyId, asker, agent },
        { ...tale, askedAt: chooseAskedAt(today, daysAgo) },
      )
  })
}

/** The date is relative to today, and added when the demo is filled. */
type TicketStory = Omit<SeedTicket, 'askedAt' | 'about'> & { daysAgo: number; about?: 'invoice' | 'operation' }

/** Questions of participants to their organiser. */
const PARTICIPANT_TICKETS: TicketStory[] = [
  {
    desk: 'organiser',
    daysAgo: 64,
    subject: 'Comment lire ma première facture\u00a0?',
    category: 'invoice',
    state: 'closed',
    about: 'invoice',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Bonjour,\nJe reçois ma première facture. Que veut dire «\u00a0énergie locale attribuée\u00a0»\u00a0?',
      },
      {
        side: 'desk',
        hours: 5,
        body: 'Bonjour,\nC’est la part de la production partagée que la clé de répartition vous a donnée, quart d’heure par quart d’heure. Le reste de votre consommation est sur la facture de votre fournisseur.',
      },
    ],
    score: 5,
    word: 'Très clair, merci.',
  },
  {
    desk: 'organiser',
    daysAgo: 41,
    subject: 'Mon compteur a été changé',
    category: 'data',
    state: 'closed',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Enedis est passé ce matin remplacer mon compteur. Dois-je faire quelque chose\u00a0?',
      },
      {
        side: 'desk',
        hours: 3,
        body: 'Non\u00a0: votre numéro de point (PRM) ne change pas. Nous surveillons que les courbes arrivent bien demain.',
      },
      { side: 'asker', hours: 30, body: 'Parfait.', source: 'mail' },
      { side: 'desk', hours: 32, body: 'Les relevés de la nuit sont arrivés complets. Bonne journée.' },
    ],
    note: 'Vérifié dans la matrice des courbes\u00a0: aucune heure manquante.',
    score: 4,
  },
  {
    desk: 'organiser',
    daysAgo: 27,
    subject: 'Changer de compte bancaire pour le prélèvement',
    category: 'account',
    state: 'solved',
    said: [
      { side: 'asker', hours: 0, body: 'J’ai changé de banque. Où donner mon nouvel IBAN\u00a0?' },
      {
        side: 'desk',
        hours: 26,
        body: 'Dans votre profil, partie «\u00a0Mandats\u00a0»\u00a0: le nouvel IBAN vaut dès le prochain prélèvement. Nous ne le demandons jamais par e-mail.',
      },
    ],
    score: 5,
  },
  {
    desk: 'organiser',
    daysAgo: 9,
    subject: 'Ma facture est plus élevée que le mois dernier',
    category: 'invoice',
    priority: 'high',
    state: 'waiting',
    about: 'invoice',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Bonjour,\nMa facture a augmenté alors que je n’ai rien changé. Pouvez-vous vérifier\u00a0?',
      },
      {
        side: 'desk',
        hours: 4,
        body: 'Bonjour,\nCette facture suit votre part d’énergie locale\u00a0: quand elle grandit d’un mois à l’autre, la facture grandit aussi, et celle de votre fournisseur baisse d’autant. L’écran «\u00a0Pourquoi ce chiffre\u00a0?\u00a0» de votre espace en montre les pas. Est-ce que cela répond à votre question\u00a0?',
      },
    ],
  },
  {
    desk: 'organiser',
    daysAgo: 4,
    subject: 'Je déménage à la fin du mois prochain',
    category: 'contract',
    state: 'open',
    about: 'operation',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Je quitte mon logement à la fin du mois prochain. Que devient ma participation\u00a0?',
      },
      {
        side: 'desk',
        hours: 7,
        body: 'Elle s’arrête au jour de votre départ, après le préavis de la convention. Connaissez-vous la date exacte\u00a0?',
      },
      {
        side: 'asker',
        hours: 29,
        body: 'Le dernier jour du mois prochain, l’état des lieux est fixé.',
        source: 'mail',
      },
    ],
    note: 'Prévenir Enedis du mouvement avant le préavis.',
  },
  {
    desk: 'organiser',
    daysAgo: 1,
    subject: 'Les meilleures heures de demain',
    category: 'consumption',
    priority: 'low',
    state: 'new',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Peut-on recevoir les meilleures heures par e-mail le soir, plutôt que dans l’application\u00a0?',
      },
    ],
  },
  {
    desk: 'organiser',
    daysAgo: 0,
    subject: 'Je ne retrouve plus mon relevé annuel',
    category: 'data',
    state: 'new',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Bonjour, où télécharger le relevé de l’année dernière pour ma déclaration\u00a0?',
      },
    ],
  },
]

/** Questions of organisers to the installation operator. */
const ORGANISER_TICKETS: TicketStory[] = [
  {
    desk: 'keeper',
    daysAgo: 33,
    subject: 'Reprendre nos factures de l’ancien logiciel',
    category: 'data',
    state: 'closed',
    said: [
      { side: 'asker', hours: 0, body: 'Nous arrivons avec deux ans de factures. Faut-il les saisir à la main\u00a0?' },
      {
        side: 'desk',
        hours: 8,
        body: 'Non\u00a0: la reprise lit un fichier des soldes et des documents passés. Le guide «\u00a0Reprendre une opération\u00a0» en donne les colonnes.',
      },
      { side: 'asker', hours: 50, body: 'Import réussi, merci.' },
      { side: 'desk', hours: 51, body: 'Bien. Je clos la demande.' },
    ],
    score: 5,
  },
  {
    desk: 'keeper',
    daysAgo: 12,
    subject: 'Un collègue ne reçoit pas son invitation',
    category: 'account',
    state: 'solved',
    said: [
      { side: 'asker', hours: 0, body: 'L’invitation envoyée lundi n’est jamais arrivée. Peut-on la renvoyer\u00a0?' },
      {
        side: 'desk',
        hours: 2,
        body: 'Oui, depuis Utilisateurs, «\u00a0Renvoyer l’invitation\u00a0». Celle de lundi a été refusée par le serveur de votre messagerie\u00a0: l’adresse avait une faute.',
      },
    ],
    score: 3,
    word: 'La faute aurait pu être dite plus tôt.',
  },
  {
    desk: 'keeper',
    daysAgo: 6,
    subject: 'Donner l’accès à notre expert-comptable',
    category: 'account',
    state: 'waiting',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Quel rôle donner à l’expert-comptable pour qu’il lise les livres sans rien changer aux opérations\u00a0?',
      },
      {
        side: 'desk',
        hours: 20,
        body: 'Le rôle «\u00a0Comptable\u00a0»\u00a0: il lit les factures, tient les livres et prépare les déclarations. S’il ne doit rien écrire, prenez «\u00a0Lecture seule\u00a0». Lequel convient\u00a0?',
      },
    ],
  },
  {
    desk: 'keeper',
    daysAgo: 2,
    subject: 'Brancher notre outil décisionnel',
    category: 'data',
    priority: 'high',
    state: 'new',
    said: [
      {
        side: 'asker',
        hours: 0,
        body: 'Nous voulons lire les énergies par mois depuis notre outil. Faut-il une clé d’API ou un flux\u00a0?',
      },
    ],
  },
]

const DEMO_CANNED_REPLIES = [
  {
    name: 'Accuser réception',
    body: 'Bonjour {{prenom}},\n\nNous avons bien reçu votre demande n° {{numero}} et vous répondons au plus vite.\n\n{{agent}}, {{organisation}}',
  },
  {
    name: 'Lire sa facture',
    body: 'Bonjour {{prenom}},\n\nVotre facture {{facture}} ne porte que l’énergie locale de l’opération {{operation}}. L’écran «\u00a0Pourquoi ce chiffre\u00a0?\u00a0» de votre espace en montre chaque pas.\n\n{{agent}}',
  },
]
