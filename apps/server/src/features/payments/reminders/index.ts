export { loadDueAccounts } from './due-accounts.ts'
export { countRemindersToSend } from './list-reminders.ts'
export { buildReminderMail, findLastReminder } from './reminder-mail.ts'
export { sendReminder } from './send-reminder.ts'
