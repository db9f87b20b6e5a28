import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { distributorEvents, energyEvents } from './events-energy.ts'
import {
  connectionEvents,
  exportEvents,
  installationEvents,
  keyEvents,
  subscriptionEvents,
} from './events-installation.ts'
import { cashEvents, declarationEvents, moneyEvents } from './events-money.ts'
import { ApplicationKind } from './joining-labels.ts'
import { Cents } from './money.ts'
import { AmountFrequency, AmountKind } from './plants.ts'
import { Day, Id } from './primitives.ts'
import { ReportSubject } from './report-blocks.ts'
import { SupportTeam } from './support-labels.ts'

const SAMPLE_ID = '7c5e3a19-8b6d-4f02-9d4c-1e3a5b7f9c86'
const idParams = z.object({ id: Id })
const path = z.object({ path: z.string() })
/** The permissions of the role (before deletion, for a deleted one), and how many people have it. */
const role = z.object({ roleId: Id, name: z.string(), permissions: z.array(z.string()), people: z.int() })
const roleSample = { roleId: SAMPLE_ID, name: 'Accueil', permissions: ['participants.read'], people: 3 }

const siteEvents = {
  'content.published': defineEvent({
    label: 'Contenu publié',
    data: z.object({ contentIds: z.array(Id) }),
    sample: { contentIds: [SAMPLE_ID] },
  }),
  'content.unpublished': defineEvent({
    label: 'Contenu retiré du site',
    data: z.object({ contentIds: z.array(Id) }),
    sample: { contentIds: [SAMPLE_ID] },
  }),
  'notice.changed': defineEvent({
    label: 'Mentions légales changées',
    data: z.object({ missing: z.int() }),
    sample: { missing: 2 },
  }),
  'page.described': defineEvent({ label: 'Référencement d’une page changé', data: path, sample: { path: '/tarifs' } }),
  'redirect.added': defineEvent({ label: 'Redirection ajoutée', data: path, sample: { path: '/ancienne-page' } }),
  'redirect.removed': defineEvent({ label: 'Redirection retirée', data: path, sample: { path: '/ancienne-page' } }),
  'booking.placed': defineEvent({ label: 'Démonstration réservée', data: idParams, sample: { id: SAMPLE_ID } }),
  'request.received': defineEvent({ label: 'Message du site reçu', data: idParams, sample: { id: SAMPLE_ID } }),
  'invitation.accepted': defineOpenEvent({
    label: 'Invitation acceptée',
    data: z.object({ userId: Id }),
    sample: { userId: SAMPLE_ID },
  }),
  'member.changed': defineOpenEvent({
    label: 'Accès d’une personne changé',
    /** `role` is the name of a built-in role, or the id of one of the company. */
    data: z.object({ userId: Id, status: z.enum(['active', 'invited', 'disabled']), role: z.string() }),
    sample: { userId: SAMPLE_ID, status: 'disabled', role: 'manager' },
  }),
  'role.defined': defineOpenEvent({ label: 'Rôle défini', data: role, sample: roleSample }),
  'role.changed': defineOpenEvent({ label: 'Rôle changé', data: role, sample: roleSample }),
  'role.removed': defineOpenEvent({ label: 'Rôle supprimé', data: role, sample: { ...roleSample, people: 0 } }),
}

/** Changes of the appearance of a company. */
const brandEvents = {
  'brand.changed': defineEvent({
    label: 'Marque blanche modifiée',
    /** Only the names of the changed fields, not their values: a name or an address may be personal data. */
    data: z.object({ fields: z.array(z.string().max(60)), version: z.int() }),
    sample: { fields: ['primaryColor', 'customLogo'], version: 3 },
  }),
  'brand.domain-proved': defineEvent({
    label: 'Domaine de la marque prouvé',
    data: z.object({ host: z.string().max(253) }),
    sample: { host: 'energie.exemple.fr' },
  }),
  'brand.domain-lapsed': defineEvent({
    label: 'Preuve du domaine de la marque disparue',
    data: z.object({ host: z.string().max(253), state: z.enum(['missing', 'refused']) }),
    sample: { host: 'energie.exemple.fr', state: 'missing' as const },
  }),
}

const APPLICATION = '7c1d5e92-3b84-4f60-9a27-d8e6f1b03c45'
const EVENTS_SITE_OPERATION = '2e9a7f13-6c48-4d05-b1e3-4f8a9c7d6b52'
const application = z.object({ applicationId: Id, operationId: Id, kind: ApplicationKind })
const applicationSample = { applicationId: APPLICATION, operationId: EVENTS_SITE_OPERATION, kind: 'join' as const }

/** Requests to join or leave, and their outcome. */
const joiningEvents = {
  'application.received': defineOpenEvent({
    label: 'Demande d’entrée ou de départ signée',
    data: application,
    sample: applicationSample,
  }),
  'application.decided': defineOpenEvent({
    label: 'Demande d’entrée ou de départ décidée',
    data: application.extend({ state: z.enum(['accepted', 'refused', 'withdrawn']), effectiveOn: Day.nullable() }),
    sample: { ...applicationSample, state: 'accepted' as const, effectiveOn: '2026-12-15' },
  }),
  'joining.changed': defineEvent({
    label: 'Page «\u00a0Rejoindre\u00a0» réglée',
    data: z.object({ operationId: Id, isOpen: z.boolean() }),
    sample: { operationId: EVENTS_SITE_OPERATION, isOpen: true },
  }),
}

const TICKET = '9d2f4b68-0c7e-4a15-8f39-5e1b7d3c6a20'
const MESSAGE = '1b8e6d24-7f50-4c93-a6d1-0e4f9b2c5837'
const ticket = z.object({ ticketId: Id, desk: SupportTeam })
const message = ticket.extend({ messageId: Id })
const ticketSample = { ticketId: TICKET, desk: 'organiser' as const }

/** Support tickets and their states. */
const supportEvents = {
  'ticket.opened': defineOpenEvent({ label: 'Demande de support ouverte', data: ticket, sample: ticketSample }),
  'ticket.answered': defineOpenEvent({
    label: 'Réponse du support donnée',
    data: message,
    sample: { ...ticketSample, messageId: MESSAGE },
  }),
  'ticket.continued': defineOpenEvent({
    label: 'Demande de support complétée',
    data: message,
    sample: { ...ticketSample, messageId: MESSAGE },
  }),
  'ticket.solved': defineOpenEvent({
    label: 'Demande de support résolue',
    /** Who solved it: the requester, the answer that was sent with it, or the support team afterwards. */
    data: ticket.extend({ by: z.enum(['asker', 'answer', 'desk']) }),
    sample: { ...ticketSample, by: 'answer' as const },
  }),
  'ticket.merged': defineEvent({
    label: 'Demandes de support réunies',
    data: ticket.extend({ intoId: Id }),
    sample: { ...ticketSample, intoId: MESSAGE },
  }),
  'message.sent': defineEvent({
    label: 'Message aux participants envoyé',
    data: z.object({ messageId: Id, recipients: z.int() }),
    sample: { messageId: MESSAGE, recipients: 12 },
  }),
  'ticket.assigned': defineEvent({
    label: 'Demande de support attribuée',
    data: ticket.extend({ assigneeId: Id }),
    sample: { ...ticketSample, assigneeId: MESSAGE },
  }),
}

const AMOUNT = '8b4f1d72-6e03-4c95-a7d1-2f9e0c5b3a68'
const POINT = '3f7d9a52-c4b1-4d83-9e6f-0a8b7c2d1e39'
const VIEW = 'd1c7a940-58e2-4b36-9f0d-7e3b6a2c8f15'
const USER = '5d0c8f3e-17b2-4e69-a4d8-90e2c6b1f735'

const amount = z.object({
  amountId: Id,
  pointId: Id,
  kind: AmountKind,
  amount: Cents,
  every: AmountFrequency,
  startsOn: Day,
  endsOn: Day.nullable(),
})
const amountSample = {
  amountId: AMOUNT,
  pointId: POINT,
  kind: 'insurance' as const,
  amount: 42_000,
  every: 'year' as const,
  startsOn: '2026-01-01',
  endsOn: null,
}

/** The content is not included, since it may name people. */
const view = z.object({ viewId: Id, userId: Id, shared: z.boolean() })
const viewSample = { viewId: VIEW, userId: USER, shared: true }

/** User-maintained data beside the figures: costs and income of plants, and saved views of analyses. */
const analyticsEvents = {
  'plant.amount-added': defineOpenEvent({
    label: 'Montant d’une installation ajouté',
    data: amount,
    sample: amountSample,
  }),
  'plant.amount-changed': defineOpenEvent({
    label: 'Montant d’une installation modifié',
    data: amount,
    sample: amountSample,
  }),
  'plant.amount-removed': defineOpenEvent({
    label: 'Montant d’une installation retiré',
    data: amount,
    sample: amountSample,
  }),
  'view.saved': defineEvent({ label: 'Vue d’analyse enregistrée', data: view, sample: viewSample }),
  'view.changed': defineEvent({ label: 'Vue d’analyse modifiée', data: view, sample: viewSample }),
  'view.removed': defineEvent({ label: 'Vue d’analyse retirée', data: view, sample: viewSample }),
}

const INSIGHT = '6a1d8f3b-92c4-4e70-b5d6-1f7e0c9a2b84'
const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'

const insight = z.object({
  insightId: Id,
  operationId: Id,
  rule: z.string(),
  /** Null where a price is not known. */
  cents: z.int().nullable(),
})
const sample = { insightId: INSIGHT, operationId: OPERATION, rule: 'under-performance', cents: 11_743 }

/** Findings of the nightly analysis, decisions about them, and findings that no longer apply. */
const insightEvents = {
  'insight.found': defineOpenEvent({ label: 'Constat trouvé', data: insight, sample }),
  'insight.decided': defineOpenEvent({
    label: 'Constat retenu ou écarté',
    data: insight.extend({ state: z.enum(['accepted', 'dismissed']) }),
    sample: { ...sample, state: 'accepted' as const },
  }),
  'insight.closed': defineOpenEvent({ label: 'Constat résolu', data: insight, sample }),
}

const REPORT = '3e9b7c52-1f84-4d06-a2b9-8c5d0e7f6a13'
const SCHEDULE = '6f2d9a18-7c54-4e03-b8a1-0d5e3c7b9f46'
const data = z.object({ reportId: Id, subject: ReportSubject, subjectId: Id, period: z.string(), number: z.int() })

const schedule = z.object({ scheduleId: Id, subject: ReportSubject, subjectId: Id, readers: z.int() })
const scheduleSample = { scheduleId: SCHEDULE, subject: 'operation' as const, subjectId: OPERATION, readers: 3 }

/** Reports about an operation or one of its members. */
const reportEvents = {
  'report.issued': defineOpenEvent({
    label: 'Rapport établi',
    data,
    sample: { reportId: REPORT, subject: 'operation' as const, subjectId: OPERATION, period: '2026-05', number: 1 },
  }),
  'report.sent': defineOpenEvent({
    label: 'Rapport envoyé',
    data: schedule.extend({ reportId: Id, period: z.string() }),
    sample: { ...scheduleSample, reportId: REPORT, period: '2026-05' },
  }),
  'report.scheduled': defineEvent({ label: 'Envoi d’un rapport programmé', data: schedule, sample: scheduleSample }),
  'report.unscheduled': defineEvent({
    label: 'Envoi d’un rapport arrêté',
    /** Empty when a person stopped it. */
    data: schedule.extend({ reason: z.string() }),
    sample: { ...scheduleSample, reason: 'Ce modèle de rapport n’existe plus.' },
  }),
}

/**
 * The table of business events. A feature records what happened and does not call those concerned. Events are never
 * deleted: they contain only ids of people, so that erased personal data do not remain here.
 */
export const EVENTS = {
  ...energyEvents,
  ...distributorEvents,
  ...moneyEvents,
  ...cashEvents,
  ...declarationEvents,
  ...siteEvents,
  ...keyEvents,
  ...installationEvents,
  ...connectionEvents,
  ...insightEvents,
  ...exportEvents,
  ...reportEvents,
  ...analyticsEvents,
  ...supportEvents,
  ...brandEvents,
  ...joiningEvents,
  ...subscriptionEvents,
}

export type EventName = keyof typeof EVENTS
export type EventData<N extends EventName> = z.output<(typeof EVENTS)[N]['data']>

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[] // Object.keys forgets them
export const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name)

/** Events that other systems may subscribe to. */
export type OpenEventName = { [N in EventName]: (typeof EVENTS)[N]['webhook'] extends true ? N : never }[EventName]
export const isOpenEvent = (name: EventName): name is OpenEventName => EVENTS[name].webhook
