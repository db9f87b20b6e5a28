export { buildJoinMailSample, type JoinMailKind } from './application-mails.ts'
export { seedApplication, seedJoinPage } from './seed.ts'
