import { createArticlePage } from './reading.tsx'

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Actualités', href: '/resources/actualites' },
  ],
  related: 'À lire aussi',
})
