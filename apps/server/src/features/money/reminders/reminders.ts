export { loadDueAccounts } from './due.ts'
export { buildReminderMail, findLastReminder } from './mail.ts'
export { sendReminder } from './send.ts'
export { countRemindersToSend } from './view.ts'
