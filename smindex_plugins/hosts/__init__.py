"""MkDocs, ProperDocs and Pelican: each adapter hands its pages over and logs what comes back."""
