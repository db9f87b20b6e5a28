import type { QueueOptions } from 'pg-boss'

/** What the queue does with each job that sends a message; the measures of health ask about the same. */
export const MAIL_JOBS = [
  'mail.send',
  'invoice.mail',
  'invoice.mails',
  'reminder.mail',
  'messages.mail',
  'reports.mail',
] as const

/**
 * A mail server may be away from Friday evening to Monday morning: a message is offered to it for three days at least,
 * every half hour in the end. The wait grows from three seconds on; a test adds it up.
 */
export const MAIL_RETRY_OPTIONS = {
  retryLimit: 160,
  retryDelay: 3,
  retryBackoff: true,
  retryDelayMax: 1800,
} satisfies QueueOptions
