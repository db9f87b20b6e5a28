import { createArticlePage } from './article-page.tsx'

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Guides', href: '/resources/guides' },
  ],
  related: 'Autres guides',
})
