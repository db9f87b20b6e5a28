import { createArticlePage } from './reading.tsx'

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Études de cas', href: '/case-studies' },
  ],
  related: 'Autres études de cas',
})
