export { buildNotificationUnsubscribeUrl, isUnsubscribable, loadMailFilter } from './notification-preferences.ts'
export { buildNotificationMail, type NotificationEvent, notify } from './notifications.ts'
export { findRecipients } from './recipients.ts'
