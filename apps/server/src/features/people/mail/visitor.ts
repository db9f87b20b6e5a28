import type { Config } from '../../../config.ts'

/** A plausible personal name: a form must not send strangers a sentence or a link in our name. */
const PERSON_NAME_PATTERN = /^[\p{L}\p{M}’' -]{1,40}$/u
export const formatGreeting = (firstName: string) =>
  PERSON_NAME_PATTERN.test(firstName) ? `Bonjour ${firstName},` : 'Bonjour,'

export const formatVisitorFooter = ({ SUPPORT_EMAIL }: Pick<Config, 'SUPPORT_EMAIL'>) =>
  `Voisol — une question\u00a0? Répondez à ce message ou écrivez à ${SUPPORT_EMAIL}.`
