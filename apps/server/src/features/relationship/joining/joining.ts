export { buildJoinMailSample, type JoinMailKind } from './samples.ts'
export { seedApplication, seedJoinPage } from './seed.ts'
