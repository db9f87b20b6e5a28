import { createArticlePage } from './article-page.tsx'

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Actualités', href: '/resources/actualites' },
  ],
  related: 'À lire aussi',
})
