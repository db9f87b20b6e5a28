import type { Layout } from './blocks/section.tsx'
import type { PagePath } from './paths.ts'

/** Which page is laid out how: two that stand side by side in a menu never look alike. */
export const pageLayouts = {
  '/': 'story',
  '/platform': 'reference',
  '/features': 'tour',
  '/pricing': 'story',
  '/solutions': 'story',
  '/solutions/collective': 'tour',
  '/solutions/residential': 'story',
  '/solutions/industrial': 'reference',
  '/solutions/autoconsommation-collective': 'reference',
  '/solutions/optimisation-energetique': 'tour',
  '/solutions/gestion-intelligente': 'story',
  '/solutions/analytics-predictions': 'tour',
  '/solutions/sur-mesure': 'reference',
  '/solutions-commerciales': 'story',
  '/expertise': 'reference',
  '/expertise/conception': 'tour',
  '/expertise/intelligence-artificielle': 'story',
  '/expertise/reglementaire': 'reference',
  '/expertise/data-science': 'tour',
  '/resources': 'story',
  '/resources/documentation': 'reference',
  '/about': 'story',
  '/careers': 'reference',
  '/partners': 'reference',
} as const satisfies Partial<Record<PagePath, Layout>>
export type PathWithLayout = keyof typeof pageLayouts
