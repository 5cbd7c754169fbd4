// Develop
