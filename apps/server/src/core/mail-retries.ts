import type { QueueOptions } from 'pg-boss'

/** Retry options of every job that sends a message; the health metrics use the same list. */
export const MAIL_JOBS = [
  'mail.send',
  'invoice.mail',
  'invoice.mails',
  'reminder.mail',
  'messages.mail',
  'reports.mail',
] as const

/**
 * A mail server may be down from Friday evening to Monday morning: a message is retried for three days at least, in the
 * end every half hour. The delay grows from three seconds; a test adds it up.
 */
export const MAIL_RETRY_OPTIONS = {
  retryLimit: 160,
  retryDelay: 3,
  retryBackoff: true,
  retryDelayMax: 1800,
} satisfies QueueOptions
