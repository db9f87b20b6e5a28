import { createArticlePage } from './reading.tsx'

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Guides', href: '/resources/guides' },
  ],
  related: 'Autres guides',
})
