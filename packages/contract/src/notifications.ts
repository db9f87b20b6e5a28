import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Flag, Id, Instant } from './primitives.ts'

export const NotificationType = z.enum(['error', 'warning', 'success', 'info'])
export const NotificationPriority = z.enum(['critical', 'high', 'normal', 'low'])
export const NotificationCategory = z.enum([
  'security',
  'account',
  'operations',
  'distributor',
  'billing',
  'support',
  'system',
  'hours',
  'month',
])
export const NotificationChannel = z.enum(['app', 'mail'])

export const Notification = z.object({
  id: Id,
  title: z.string(),
  message: z.string(),
  type: NotificationType,
  priority: NotificationPriority,
  category: NotificationCategory,
  isRead: z.boolean(),
  isArchived: z.boolean(),
  isDismissible: z.boolean(),
  isActionable: z.boolean(),
  actionLabel: z.string().nullable(),
  actionUrl: z.string().nullable(),
  createdAt: Instant,
})
export type Notification = z.infer<typeof Notification>

export const NotificationQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  offset: z.coerce.number().int().min(0).default(0),
  unreadOnly: Flag.optional(),
  archived: Flag.optional(),
  category: NotificationCategory.optional(),
  type: NotificationType.optional(),
  q: z.string().trim().max(200).optional(),
})

export const NotificationPreference = z.object({
  category: NotificationCategory,
  channel: NotificationChannel,
  enabled: z.boolean(),
})

const params = z.object({ id: Id })
/** In the body or in the address: what a call may say either way. */
const DAY_BOUNDS = { least: 1, most: 3650, usual: 30 }
const Days = z.strictObject({ days: z.int().min(DAY_BOUNDS.least).max(DAY_BOUNDS.most).optional() }).default({})
const DaysQuery = z.object({ days: z.coerce.number().int().min(DAY_BOUNDS.least).max(DAY_BOUNDS.most).optional() })
/** The address counts before the body. */
export const getRequestedDays = ({ query, body }: { query: z.output<typeof DaysQuery>; body: z.output<typeof Days> }) =>
  query.days ?? body.days ?? DAY_BOUNDS.usual
const ChangeCount = z.object({ success: z.literal(true), count: z.int() })

export const notifications = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/notifications',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lister ses notifications',
    query: NotificationQuery,
    response: z.object({ notifications: z.array(Notification), total: z.int(), unreadCount: z.int() }),
  }),
  unreadCount: defineEndpoint({
    method: 'GET',
    path: '/api/notifications/unread-count',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Compter les notifications non lues',
    response: z.object({ unreadCount: z.int() }),
  }),
  read: defineEndpoint({
    method: 'PATCH',
    path: '/api/notifications/:id/read',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Marquer une notification comme lue',
    params,
    response: Notification,
  }),
  markAllRead: defineEndpoint({
    method: 'PATCH',
    path: '/api/notifications/mark-all-read',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Tout marquer comme lu',
    response: ChangeCount,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/notifications/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Supprimer une notification',
    params,
    response: ChangeCount,
  }),
  archive: defineEndpoint({
    method: 'PATCH',
    path: '/api/notifications/:id/archive',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Archiver une notification',
    params,
    response: Notification,
  }),
  archiveRead: defineEndpoint({
    method: 'PATCH',
    path: '/api/notifications/archive-read',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Archiver les notifications lues',
    response: ChangeCount,
  }),
  archiveOld: defineEndpoint({
    method: 'PATCH',
    path: '/api/notifications/archive-old',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Archiver les anciennes notifications',
    query: DaysQuery,
    body: Days,
    response: ChangeCount,
  }),
  archivePreview: defineEndpoint({
    method: 'POST',
    path: '/api/notifications/archive-preview',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Compter ce qui serait archivé',
    query: DaysQuery,
    body: Days,
    response: z.object({
      days: z.int(),
      count: z.int(),
      unread: z.int(),
      oldest: Instant.nullable(),
      newest: Instant.nullable(),
    }),
  }),
  preferences: defineEndpoint({
    method: 'GET',
    path: '/api/notifications/preferences',
    access: 'signed-in',
    reaches: 'person',
    summary: 'Lire ses préférences de notification',
    response: z.object({ items: z.array(NotificationPreference) }),
  }),
  savePreferences: defineEndpoint({
    method: 'PUT',
    path: '/api/notifications/preferences',
    access: 'signed-in',
    reaches: 'person',
    summary: 'Enregistrer ses préférences de notification',
    body: z.strictObject({ items: z.array(NotificationPreference).max(50) }),
    response: z.object({ items: z.array(NotificationPreference) }),
  }),
}
