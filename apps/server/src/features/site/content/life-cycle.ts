import type { ContentStatus } from '@voisol/contract/content'
import { AppError } from '../../../http/errors.ts'

/** What may follow each state. A scheduled content may get another date, a published one what was written since. */
export const NEXT_CONTENT_STATUSES: Record<ContentStatus, readonly ContentStatus[]> = {
  draft: ['scheduled', 'published'],
  scheduled: ['draft', 'published', 'scheduled'],
  published: ['archived', 'published'],
  archived: ['published', 'scheduled'],
}

const REFUSAL_MESSAGES: Partial<Record<ContentStatus, string>> = {
  scheduled:
    'Ce contenu est déjà en ligne\u00a0: publiez ses modifications tout de suite, ou retirez-le du site avant de fixer une date.',
  archived: 'Ce contenu n’est pas en ligne\u00a0: il n’y a rien à retirer.',
  draft: 'Ce contenu n’est ni en ligne ni programmé\u00a0: il n’y a rien à retirer.',
}

export function requireContentTransition(from: ContentStatus, to: ContentStatus) {
  if (NEXT_CONTENT_STATUSES[from].includes(to)) return
  const message = REFUSAL_MESSAGES[to]
  throw new AppError('invalid-transition', message ? { message } : {})
}

/** What is taken off the site is archived; what was only planned is a draft again. */
export const getWithdrawnStatus = (from: ContentStatus): ContentStatus => (from === 'published' ? 'archived' : 'draft')
