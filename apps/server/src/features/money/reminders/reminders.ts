export { dueAccounts } from './due.ts'
export { lastReminder, reminderMail } from './mail.ts'
export { sendReminder } from './send.ts'
export { remindersToSend } from './view.ts'
