import { createArticlePage } from './reading.tsx'

export default createArticlePage({
  trail: [{ label: 'Guide d’utilisation', href: '/user-guide' }],
  related: 'Guides voisins',
})
