export { answer } from './desk.ts'
export { hoursOf } from './hours.ts'
export { openTicket } from './write.ts'
export { openSupportMail } from './reception.ts'
