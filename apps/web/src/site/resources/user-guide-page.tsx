import { createArticlePage } from './article-page.tsx'

export default createArticlePage({
  trail: [{ label: 'Guide d’utilisation', href: '/user-guide' }],
  related: 'Guides voisins',
})
