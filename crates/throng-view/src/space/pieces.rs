//! Meshes cut into pieces: as many triangles as a workgroup draws at once, with the corners that they share.

/// Corners of a piece at most, and triangles: as many as a byte can number, and as workgroup.wgsl has room for.
const MOST: usize = 256;

/// A few triangles of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    /// Vertices of the mesh that are its corners.
    pub(crate) corners: Vec<u32>,
    /// Of each triangle three of its corners, a byte each.
    pub(crate) triangles: Vec<u32>,
}

/// Triangles in their order, which is one in which those that follow each other share corners.
pub(crate) fn cut(indices: &[u32]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = Piece::default();
    for triangle in indices.chunks_exact(3) {
        let new = triangle.iter().filter(|&v| !piece.corners.contains(v)).count();
        if piece.corners.len() + new > MOST || piece.triangles.len() == MOST {
            pieces.push(std::mem::take(&mut piece));
        }
        let mut word = 0;
        for (k, vertex) in triangle.iter().enumerate() {
            let corner = piece.corners.iter().rposition(|v| v == vertex).unwrap_or_else(|| {
                piece.corners.push(*vertex);
                piece.corners.len() - 1
            });
            word |= (corner as u32) << (8 * k);
        }
        piece.triangles.push(word);
    }
    pieces.push(piece);
    pieces
}

/// Puts the pieces of a mesh into a table: first their corners and triangles, four to a row, then for each a row that says how many
/// these are and where they begin. Where those rows are, and how many.
pub(crate) fn put(table: &mut Vec<[u32; 4]>, pieces: &[Piece]) -> [u32; 2] {
    let mut put = |words: &[u32]| {
        let at = table.len() as u32;
        table.extend(words.chunks(4).map(|four| std::array::from_fn(|k| four.get(k).copied().unwrap_or(0))));
        at
    };
    let rows: Vec<[u32; 4]> = pieces
        .iter()
        .map(|Piece { corners, triangles }| {
            [corners.len() as u32, triangles.len() as u32, put(corners), put(triangles)]
        })
        .collect();
    let at = table.len() as u32;
    table.extend(&rows);
    [at, rows.len() as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::figure::creature;

    #[test]
    fn pieces_have_all_triangles_in_their_order() {
        for mesh in &creature().lods {
            let pieces = cut(&mesh.indices);
            let all = pieces.iter().flat_map(|p| {
                let corner = |word: u32, k: usize| p.corners[(word >> (8 * k) & 0xff) as usize];
                p.triangles.iter().flat_map(move |&word| [0, 1, 2].map(|k| corner(word, k)))
            });
            assert!(all.eq(mesh.indices.iter().copied()));
            assert!(pieces.iter().all(|p| p.corners.len() <= MOST && p.triangles.len() <= MOST));
            // A closed surface has half as many vertices as triangles; rims of pieces count twice.
            let corners: usize = pieces.iter().map(|p| p.corners.len()).sum();
            assert!(corners * 4 < mesh.faces() * 3, "{corners} corners of {} triangles", mesh.faces());
        }
    }

    #[test]
    fn triangles_that_share_nothing_are_pieces_too() {
        let strewn: Vec<u32> = (0..3000).collect();
        let pieces = cut(&strewn);
        assert!(pieces.iter().all(|p| p.corners.len() == 3 * p.triangles.len() && p.corners.len() <= MOST));
        assert_eq!(pieces.iter().map(|p| p.triangles.len()).sum::<usize>(), 1000);
    }

    #[test]
    fn a_table_tells_where_the_words_of_pieces_are() {
        let mut table = vec![[9; 4]];
        let pieces = cut(&(0..3000).collect::<Vec<u32>>());
        let [at, many] = put(&mut table, &pieces);
        assert_eq!(many as usize, pieces.len());
        for (row, piece) in table[at as usize..].iter().zip(&pieces) {
            let words = |at: u32, many: u32| -> Vec<u32> {
                table[at as usize..].iter().flatten().copied().take(many as usize).collect()
            };
            assert_eq!(words(row[2], row[0]), piece.corners);
            assert_eq!(words(row[3], row[1]), piece.triangles);
        }
    }
}
