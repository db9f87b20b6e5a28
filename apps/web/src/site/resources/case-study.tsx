import { createArticlePage } from './article-page.tsx'

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Études de cas', href: '/case-studies' },
  ],
  related: 'Autres études de cas',
})
