export { buildParticipantMailSample, type ParticipantMailKind } from './participant-mails.ts'
