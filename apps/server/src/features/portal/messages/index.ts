export { seedMessage } from './messages.ts'
export { createMessage } from './send-messages.ts'
