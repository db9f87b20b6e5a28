export const imagePath = (id: string) => `/api/site-images/${id}`
